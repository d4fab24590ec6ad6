import assert from "node:assert/strict";
import {
  hasSecretKeys,
  isSecretKeysAlone,
  isSecretPlace,
  secretNames,
  secretPlaces,
  withoutSecretKeys,
} from "../../../../config/model/secretKeys.ts";
import { unread } from "../../../../config/model/unread.ts";

describe("places of secrets in the settings", () => {
  it("knows the places of secrets by setting", () => {
    assert.deepEqual(
      ["storage", "bucketKeys", "notify", "route", "toString"].map((setting) => [
        hasSecretKeys(setting),
        secretNames(setting),
      ]),
      [
        [true, "secretAccessKey"],
        [true, "secretAccessKey"],
        [true, "webhook.url, webhook.token and mail.password"],
        [false, ""],
        [false, ""],
      ],
    );
    assert.deepEqual(secretPlaces({ bucketKeys: { alice: {} } }), [
      ["storage", "secretAccessKey"],
      ["bucketKeys", "alice", "secretAccessKey"],
      ["notify", "webhook", "url"],
      ["notify", "webhook", "token"],
      ["notify", "mail", "password"],
    ]);
  });

  it("hides secrets in messages, whatever is wrong with them", () => {
    const hidden = [
      [],
      ["webhook"],
      ["webhook", "url"],
      ["mail"],
      ["mail", "password"],
      ["mail", "password", "x"],
      ["hook"],
    ];
    const shown = [["expiryDays"], ["expiryDays", 0], ["quotaPercent"], ["mail", "server"], ["mail", "to", 0]];
    const hiding = [...hidden, ...shown].map((path) => isSecretPlace(["notify", ...path]));
    assert.deepEqual(hiding, [...hidden.map(() => true), ...shown.map(() => false)]);
  });

  it("lets a shard's file have nothing of a setting but its secrets", () => {
    const url = "https://hooks.example.org/x";
    const notify = { quotaPercent: 80, webhook: { url, token: "t" }, mail: { server: "s", password: "p" } };
    assert.deepEqual(withoutSecretKeys("notify", notify), { quotaPercent: 80, webhook: {}, mail: { server: "s" } });
    assert.deepEqual(
      [
        isSecretKeysAlone("notify", notify),
        isSecretKeysAlone("notify", { webhook: { url } }),
        isSecretKeysAlone("notify", { webhook: { url }, mail: { password: "p" } }),
        isSecretKeysAlone("notify", {}),
        isSecretKeysAlone("notify", { webhook: unread }),
        isSecretKeysAlone("storage", { secretAccessKey: "s" }),
        isSecretKeysAlone("bucketKeys", { alice: { secretAccessKey: "s" } }),
        isSecretKeysAlone("bucketKeys", { alice: { accessKeyId: "s" } }),
      ],
      [false, true, true, false, false, true, true, false],
    );
  });
});
