import assert from "node:assert/strict";
import type { EngineEvent } from "@pulumi/pulumi/automation/index.js";
import { PreviewEvents } from "../../../../commands/report/digest.ts";
import { stackUrn, urn } from "./previews.ts";

describe("the events of a preview", () => {
  it("give its steps, without the contents of what stays, and its lasting messages", () => {
    const state = { inputs: { kind: "Namespace" } };
    const made = { op: "create", urn: urn("kubernetes:core/v1:Namespace", "bob/namespace"), new: state };
    const said = { severity: "warning", message: "warning: a newer version", urn: stackUrn };
    const events = new PreviewEvents();
    for (const event of [
      { resourcePreEvent: { metadata: { op: "same", urn: stackUrn, old: state, new: state } } },
      { resourcePreEvent: { metadata: made } },
      { resOutputsEvent: { metadata: made } },
      { diagnosticEvent: { ...said, color: "never" } },
      { diagnosticEvent: { ...said, message: "waiting", ephemeral: true } },
    ]) {
      events.take(event as unknown as EngineEvent);
    }
    assert.deepEqual([events.steps, events.messages], [[{ op: "same", urn: stackUrn }, made], [said]]);
  });
});
