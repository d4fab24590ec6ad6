import assert from "node:assert/strict";
import type { EngineEvent } from "@pulumi/pulumi/automation/index.js";
import { Progress } from "../../../runs/progress.ts";

const stack = "urn:pulumi:dev::kubecamp::pulumi:pulumi:Stack::kubecamp-dev";

describe("what the engine reports of an up", () => {
  it("keeps the warnings of a stack in an up, and no resource's", () => {
    const progress = new Progress();
    const says = (severity: string, message: string, urn = stack) =>
      progress.take({ diagnosticEvent: { severity, message, urn, color: "never" } } as unknown as EngineEvent);
    says("warning", "warning: this project is old");
    says("info", "waiting for the API server");
    says("warning", "it is deprecated", "urn:pulumi:dev::kubecamp::kubernetes:core/v1:Namespace::bob/namespace");
    assert.deepEqual(progress.remarks, ["this project is old"]);
  });

  it("takes any event of the engine for progress", () => {
    let events = 0;
    const progress = new Progress(() => events++);
    progress.take({ summaryEvent: {} } as unknown as EngineEvent);
    assert.equal(events, 1);
  });

  it("tells what an up waits for: the latest object whose operation has begun and not ended", () => {
    const progress = new Progress();
    const reports = (event: string, op: string, types: string, name: string) => {
      const metadata = { op, urn: `urn:pulumi:dev::kubecamp::${types}::${name}` };
      progress.take({ [event]: { metadata } } as unknown as EngineEvent);
      return progress.current;
    };
    const member = "kubecamp:index:MemberEnvironment";
    const home = `${member}$kubernetes:core/v1:Namespace`;
    const binding = `${member}$kubernetes:rbac.authorization.k8s.io/v1:RoleBinding`;
    assert.deepEqual(
      [
        reports("resourcePreEvent", "delete", home, "bob/namespace"),
        reports("resourcePreEvent", "create", member, "ana"),
        reports("resourcePreEvent", "same", binding, "ana/binding/view"),
        reports("resourcePreEvent", "update", binding, "ana/binding/edit"),
        reports("resOpFailedEvent", "update", binding, "ana/binding/edit"),
        reports("resOutputsEvent", "delete", home, "bob/namespace"),
      ],
      [...Array(3).fill("deleting bob/namespace"), "updating ana/binding/edit", "deleting bob/namespace", undefined],
    );
  });
});
