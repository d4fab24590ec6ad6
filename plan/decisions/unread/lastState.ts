import { constants } from "node:buffer";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { getOrganization, getProject, getRootDirectory, getStack } from "@pulumi/pulumi";
import { type ObjectName, objectKey } from "../../../cluster/read/snapshot.ts";
import { isMap } from "../../../config/model/maps.ts";
import { memberOf } from "../../../naming/urns.ts";

/** What a state file has, as far as it is read. */
interface Exported {
  readonly deployment?: { readonly resources?: readonly StateResource[] | null } | null;
}

interface StateResource {
  readonly urn: string;
  readonly delete?: boolean;
  readonly outputs?: unknown;
}

/** What Pulumi's state of this stack has, each undefined where it can't be had. A run asks for it once, if at all. */
export class LastState {
  #exported: Promise<Exported | undefined> | undefined;

  /** Begins to ask for it beside what else takes its time. */
  begin(): void {
    void this.#state();
  }

  /** Logical names. */
  async names(): Promise<ReadonlySet<string> | undefined> {
    const state = await this.#state();
    return state && namesIn(state);
  }

  /** Of whom it has the namespace, each with its UID as far as that is known. */
  async members(): Promise<KnownMembers | undefined> {
    const state = await this.#state();
    return state && membersIn(state.deployment?.resources ?? []);
  }

  /** The field managers under which objects were applied, by their `objectKey`. */
  async managers(): Promise<ReadonlyMap<string, string> | undefined> {
    const state = await this.#state();
    return state && managersIn(state.deployment?.resources ?? []);
  }

  #state(): Promise<Exported | undefined> {
    this.#exported ??= exported();
    return this.#exported;
  }
}

/**
 * Pulumi's command line is asked: the engine has functions for it too, but each run that calls one gets a provider for
 * them, which shows as a change. Secrets stay encrypted, and no lock is taken.
 * @see https://www.pulumi.com/docs/iac/cli/commands/pulumi_stack_export/
 */
async function exported(): Promise<Exported | undefined> {
  try {
    const stack = `${getOrganization()}/${getProject()}/${getStack()}`;
    const args = ["stack", "export", "--stack", stack, "--non-interactive"];
    const options = {
      // The engine tells where; without one it is this process's.
      cwd: getRootDirectory() || process.cwd(),
      // More than fits into one text would end this process.
      maxBuffer: constants.MAX_STRING_LENGTH,
      // A backend that never answers must not hold up a preview for good.
      timeout: 120_000,
      env: { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "1" },
    };
    const { stdout } = await promisify(execFile)("pulumi", args, options);
    return JSON.parse(stdout) as Exported;
  } catch {
    return undefined;
  }
}

/** Of what an earlier run was to delete and did not, nothing stands any more. */
export function namesIn({ deployment }: Exported): ReadonlySet<string> {
  const resources = (deployment?.resources ?? []).filter((resource) => resource.delete !== true);
  return new Set(resources.map(({ urn }) => urn.split("::").slice(3).join("::")));
}

/** Members by name, each with the UID that their namespace had in the last run that saw it. */
export type KnownMembers = ReadonlyMap<string, string | undefined>;

/** Those whose namespace it has, also where that is only left to be deleted. */
export function membersIn(resources: readonly StateResource[]): KnownMembers {
  const namespaces = resources.filter(({ urn }) => urn.split("::")[2]?.endsWith("$kubernetes:core/v1:Namespace"));
  return new Map(
    namespaces.flatMap(({ urn, outputs }) => {
      const member = memberOf(urn);
      return member === undefined ? [] : [[member, uidIn(outputs)] as const];
    }),
  );
}

/** The plugin keeps it beside the live object. */
export function managersIn(resources: readonly StateResource[]): ReadonlyMap<string, string> {
  return new Map(
    resources.flatMap(({ outputs, delete: isLeft = false }) => {
      const { kind, metadata, __fieldManager: manager } = isMap(outputs) && !isLeft ? outputs : {};
      const { name, namespace } = isMap(metadata) ? metadata : {};
      return typeof kind === "string" && typeof name === "string" && typeof manager === "string"
        ? [[objectKey(kind as ObjectName["kind"], name, namespace as string | undefined), manager] as const]
        : [];
    }),
  );
}

function uidIn(outputs: unknown): string | undefined {
  const metadata = isMap(outputs) ? outputs.metadata : undefined;
  const uid = isMap(metadata) ? metadata.uid : undefined;
  return typeof uid === "string" ? uid : undefined;
}
