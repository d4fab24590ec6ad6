import type { EngineEvent } from "@pulumi/pulumi/automation/index.js";
import { logicalNameIn } from "../naming/urns.ts";
import type { Warning } from "../plan/messages/catalogue.ts";
import { warningIn } from "../plan/messages/reading.ts";
import { plainText, withWayOut } from "./pulumiWords.ts";

/** What an up did to a resource. */
export interface Change {
  readonly operation: "create" | "update" | "delete" | "replace";
  /** Such as `kubernetes:core/v1:Namespace`. */
  readonly type: string;
  /** The logical name, such as `bob/namespace`. */
  readonly name: string;
}

/** The engine's operations that touch the cluster; a replacement's parts come before the replacement itself. */
const operations: Readonly<Record<string, Change["operation"]>> = {
  create: "create",
  update: "update",
  delete: "delete",
  replace: "replace",
};

/** What is about no resource is about all of them. */
const isOfStack = (urn = "") => urn === "" || urn.includes("::pulumi:pulumi:Stack::");

/** Gathers what the engine tells of an up while it runs. */
export class Progress {
  readonly changes: Change[] = [];
  /** What the program warned of; of a resource's warnings, nothing. */
  readonly warnings: Warning[] = [];
  /** Names of members of whose something changed. */
  readonly members = new Set<string>();
  readonly #errors: string[] = [];

  /** @see https://www.pulumi.com/docs/iac/automation-api/ */
  take({ resOutputsEvent, diagnosticEvent }: EngineEvent): void {
    const step = resOutputsEvent?.metadata;
    const operation = operations[step?.op ?? ""];
    const [, , types = "", name = ""] = step?.urn.split("::") ?? [];
    // The stack itself is no object of anybody's.
    if (operation !== undefined && types !== "pulumi:pulumi:Stack") {
      this.changes.push({ operation, type: types.split("$").at(-1) ?? "", name });
      if (types.startsWith("kubecamp:index:MemberEnvironment")) {
        this.members.add(name.split("/")[0] ?? name);
      }
    }
    if (diagnosticEvent?.severity === "warning" && isOfStack(diagnosticEvent.urn)) {
      this.warnings.push(warningIn(plainText(diagnosticEvent.message.replace(/^\s*warning: /, ""))));
    }
    if (diagnosticEvent?.severity === "error") {
      const { urn, message } = diagnosticEvent;
      const of = urn && logicalNameIn(urn);
      const text = withWayOut(plainText(message));
      this.#errors.push(isOfStack(urn) ? text : `${of}: ${text}`);
    }
  }

  /** The errors that the engine and the program told, as they were worded; undefined if there were none. */
  get errors(): string | undefined {
    // Last of all the engine says that something failed.
    const reported = this.#errors.filter((error) => error !== "" && error !== "update failed");
    return reported.length === 0 ? undefined : [...new Set(reported)].join("\n");
  }
}
