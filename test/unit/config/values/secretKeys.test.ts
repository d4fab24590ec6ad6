import assert from "node:assert/strict";
import { unread } from "../../../../config/values/maps.ts";
import {
  hasSecretKeys,
  isSecretKeysAlone,
  isSecretPlace,
  secretNames,
  secretPlaces,
  withoutSecretKeys,
} from "../../../../config/values/secretKeys.ts";

describe("places of secrets in the settings", () => {
  it("knows the places of secrets by setting", () => {
    for (const [setting, names] of [
      ["storage", "secretAccessKey"],
      ["bucketKeys", "secretAccessKey"],
      ["notify", "webhook.url, webhook.token and mail.password"],
      ["route", ""],
      ["toString", ""],
    ] as const) {
      assert.deepEqual([hasSecretKeys(setting), secretNames(setting)], [names !== "", names], setting);
    }
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
      ...[[], ["webhook"], ["webhook", "url"], ["hook"]],
      ...[["mail"], ["mail", "password"], ["mail", "password", "x"]],
    ];
    const shown = [["expiryDays"], ["expiryDays", 0], ["quotaPercent"], ["mail", "server"], ["mail", "to", 0]];
    const hiding = [...hidden, ...shown].map((path) => isSecretPlace(["notify", ...path]));
    assert.deepEqual(hiding, [...hidden.map(() => true), ...shown.map(() => false)]);
  });

  it("lets a shard's file have nothing of a setting but its secrets", () => {
    const url = "https://hooks.example.org/x";
    const notify = { quotaPercent: 80, webhook: { url, token: "t" }, mail: { server: "s", password: "p" } };
    assert.deepEqual(withoutSecretKeys("notify", notify), { quotaPercent: 80, webhook: {}, mail: { server: "s" } });
    for (const [setting, value, isAlone] of [
      ["notify", notify, false],
      ["notify", { webhook: { url } }, true],
      ["notify", { webhook: { url }, mail: { password: "p" } }, true],
      ["notify", {}, false],
      ["notify", { webhook: unread }, false],
      ["storage", { secretAccessKey: "s" }, true],
      ["bucketKeys", { alice: { secretAccessKey: "s" } }, true],
      ["bucketKeys", { alice: { accessKeyId: "s" } }, false],
    ] as const) {
      assert.equal(isSecretKeysAlone(setting, value), isAlone, JSON.stringify(value));
    }
  });
});
