import assert from "node:assert/strict";
import {
  customKindOf,
  customVary,
  otherVersions,
  partsOfCustom,
  pluralOf,
  titledKind,
} from "../../../../config/names/customKinds.ts";

describe("a custom kind", () => {
  it("writes a custom kind as one text, with its resource's name if that is irregular", () => {
    const widget = customKindOf({ apiVersion: "example.org/v1", kind: "Widget" });
    assert.equal(widget, "Widget.v1.example.org");
    assert.deepEqual(partsOfCustom(widget), {
      apiVersion: "example.org/v1",
      kind: "Widget",
      plural: "widgets",
      group: "example.org",
    });
    assert.equal(customKindOf({ apiVersion: "example.org/v1", kind: "Widget", plural: "widgets" }), widget);
    const redis = customKindOf({ apiVersion: "redis.example.org/v1beta2", kind: "Redis", plural: "redis" });
    assert.equal(redis, "Redis.v1beta2.redis.example.org:redis");
    assert.deepEqual(partsOfCustom(redis), {
      apiVersion: "redis.example.org/v1beta2",
      kind: "Redis",
      plural: "redis",
      group: "redis.example.org",
    });
    assert.equal(titledKind(redis), "Redis.v1beta2.redis.example.org");
  });

  it("gives a custom kind the plural that most authors give it", () => {
    const plurals = {
      Widget: "widgets",
      NetworkPolicy: "networkpolicies",
      Gateway: "gateways",
      Prometheus: "prometheuses",
      IngressClass: "ingressclasses",
      Elasticsearch: "elasticsearches",
      Sandbox: "sandboxes",
    };
    assert.deepEqual(Object.fromEntries(Object.keys(plurals).map((kind) => [kind, pluralOf(kind)])), plurals);
  });

  it("gives a custom kind one set of logical names for all versions", () => {
    const names = ["v1", "v1beta1"].map((version) =>
      customVary(customKindOf({ apiVersion: `example.org/${version}`, kind: "Widget" }), "course"),
    );
    assert.deepEqual(names, ["widget.example.org:course", "widget.example.org:course"]);
    const others = otherVersions("Widget.v1.example.org");
    assert.ok(["v1alpha1", "v1beta1", "v2"].every((version) => others.includes(`example.org/${version}`)));
    assert.ok(!others.includes("example.org/v1"));
  });
});
