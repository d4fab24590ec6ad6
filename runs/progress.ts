import type { EngineEvent } from "@pulumi/pulumi/automation/index.js";
import { ToldFindings } from "../components/givenRun.ts";
import { accessType, environmentType, isStackUrn, logicalNameIn, memberOf, stackType } from "../config/names/urns.ts";
import { plainText, withWayOut } from "./pulumiWords.ts";

export interface Change {
  readonly operation: "create" | "update" | "delete" | "replace";
  readonly type: string;
  readonly name: string;
}

/** Engine operations that touch the cluster. A replacement's parts are reported before the replacement itself. */
const operations: Readonly<Record<string, Change["operation"]>> = {
  create: "create",
  update: "update",
  delete: "delete",
  replace: "replace",
};

const doings: Readonly<Record<string, string>> = { create: "creating", update: "updating", delete: "deleting" };

/** They go on for as long as their objects, which say more. */
const components: readonly string[] = [stackType, accessType, environmentType];

const isOfStack = (urn = "") => urn === "" || isStackUrn(urn);

export class Progress {
  readonly changes: Change[] = [];
  readonly told = new ToldFindings();
  /** Warnings of Pulumi's and of a project's own program, without those of single resources. */
  readonly remarks: string[] = [];
  readonly members = new Set<string>();
  readonly #errors: string[] = [];
  readonly #begun = new Map<string, string>();
  readonly #onEvent: (event: EngineEvent) => void;

  constructor(onEvent: (event: EngineEvent) => void = () => undefined) {
    this.#onEvent = onEvent;
  }

  /** @see https://www.pulumi.com/docs/iac/automation-api/ */
  take(event: EngineEvent): void {
    const { resourcePreEvent, resOutputsEvent, resOpFailedEvent, diagnosticEvent } = event;
    this.#onEvent(event);
    const begun = resourcePreEvent?.metadata;
    const doing = doings[begun?.op ?? ""];
    if (begun !== undefined && doing !== undefined && !components.includes(begun.urn.split("::")[2] ?? "")) {
      this.#begun.set(begun.urn, `${doing} ${logicalNameIn(begun.urn)}`);
    }
    this.#begun.delete((resOutputsEvent ?? resOpFailedEvent)?.metadata.urn ?? "");
    const step = resOutputsEvent?.metadata;
    const operation = operations[step?.op ?? ""];
    const [, , types = "", name = ""] = step?.urn.split("::") ?? [];
    // The stack resource is no object on the cluster.
    if (operation !== undefined && types !== stackType) {
      this.changes.push({ operation, type: types.split("$").at(-1) ?? "", name });
      const member = memberOf(step?.urn ?? "");
      if (member !== undefined) {
        this.members.add(member);
      }
    }
    if (diagnosticEvent?.severity === "warning" && isOfStack(diagnosticEvent.urn)) {
      this.remarks.push(plainText(diagnosticEvent.message.replace(/^\s*warning: /, "")));
    }
    if (diagnosticEvent?.severity === "error") {
      const { urn, message } = diagnosticEvent;
      const of = urn && logicalNameIn(urn);
      const text = withWayOut(plainText(message));
      this.#errors.push(isOfStack(urn) ? text : `${of}: ${text}`);
    }
  }

  /** Remarks on a failed run, and is there for another, which goes on in its place. */
  goOn(text: string): void {
    this.told.clear();
    this.#errors.length = 0;
    this.#begun.clear();
    this.remarks.push(text);
  }

  /** The latest operation that goes on, such as `deleting bob/namespace`; undefined between operations. */
  get current(): string | undefined {
    return [...this.#begun.values()].at(-1);
  }

  get errors(): string | undefined {
    // The engine ends with a bare "update failed".
    const reported = new Set(this.#errors.filter((error) => !/^((update|preview) failed)?$/.test(error)));
    return reported.size === 0 ? undefined : [...reported].join("\n");
  }
}
