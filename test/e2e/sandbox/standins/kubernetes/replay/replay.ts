/** Makes the recorded calls again, on the stand-in and a real API server, with the states that they lead to here. */
import { deepEqual, equal, ok } from "node:assert/strict";
import { at, type Props, propsOf, textAt, type Value } from "../../../../../../buckets/protocol/values.ts";
import { failureOf, type Plugin } from "../support/plugin.ts";
import type { Outcome, RecordedCall } from "./recordings.ts";

export class Replay {
  readonly #plugin: Plugin;
  readonly #objects: Map<string, Props>;
  /** By URN, what Pulumi's state would hold; a deleted object stays, as it does while its replacement is pending. */
  readonly #states = new Map<string, Props>();
  /** The kubeconfig that the last up was made with, and the one of this step. */
  kubeconfigs: [string, string] = ["", ""];

  constructor(plugin: Plugin, objects: Map<string, Props>) {
    this.#plugin = plugin;
    this.#objects = objects;
  }

  /** Fails unless the stand-in comes to the recorded verdict. */
  async make(recorded: RecordedCall): Promise<void> {
    switch (recorded.call) {
      case "DiffConfig": {
        const [olds, news] = this.kubeconfigs.map((kubeconfig) => ({ kubeconfig, clusterIdentifier: "sandbox" }));
        const extra = recorded.changed.includes("upsertExistingObjects") ? { upsertExistingObjects: "true" } : {};
        return deepEqual(await this.#plugin.diffConfig(olds ?? {}, { ...news, ...extra }), recorded.expect);
      }
      case "Check":
        return deepEqual(
          await this.#plugin.check(recorded.urn, this.#object(recorded.news)),
          this.#object(recorded.expect),
        );
      case "Diff": {
        const verdict = await this.#plugin.diff(recorded.urn, this.#state(recorded.urn), this.#object(recorded.news));
        return deepEqual(verdict, recorded.expect);
      }
      case "Create":
      case "Update":
        return await this.#write(recorded);
      case "Read":
        return await this.#read(recorded);
      case "Delete": {
        const deleted = this.#plugin.delete(recorded.urn, recorded.id, this.#state(recorded.urn));
        return recorded.error ? equal((await failureOf(deleted)).message, recorded.error) : await deleted;
      }
    }
  }

  async #write(recorded: Extract<RecordedCall, { call: "Create" | "Update" }>): Promise<void> {
    const { urn, preview = false, error, expect } = recorded;
    const news = this.#object(recorded.news);
    const write = async (): Promise<{ id: string; state: Props }> => {
      if (recorded.call === "Create") {
        return await this.#plugin.create(urn, news, { preview });
      }
      return { id: "", state: await this.#plugin.update(urn, this.#state(urn), news, { preview }) };
    };
    if (error) {
      const failure = await failureOf(write());
      equal(recordable(failure.message), error);
      if (failure.initFailed) {
        this.#states.set(urn, failure.initFailed.state);
      }
      return;
    }
    const { id, state } = await write();
    if (!preview) {
      this.#states.set(urn, state);
    }
    ok(expect);
    deepEqual(outcome(state, news, id), this.#outcome(expect));
  }

  async #read({ urn, id, inputs, error, expect }: Extract<RecordedCall, { call: "Read" }>): Promise<void> {
    const known = this.#object(inputs);
    const read = this.#plugin.read(urn, id, known, Object.keys(known).length > 0 ? this.#state(urn) : {});
    if (error) {
      return equal(recordable((await failureOf(read)).message), error);
    }
    const answer = await read;
    ok(expect);
    if ("gone" in expect) {
      return equal(answer.id, "");
    }
    equal(answer.id, expect.id);
    this.#states.set(urn, answer.state);
    // The recorded plugin was built without its schema, from which the inputs of an import come.
    if (Object.keys(known).length > 0) {
      deepEqual(answer.inputs, this.#object(expect.inputs));
    }
  }

  #object(name: string): Props {
    const object = this.#objects.get(name);
    ok(object, name);
    return object;
  }

  #state(urn: string): Props {
    const state = this.#states.get(urn);
    ok(state, `no state of ${urn} yet`);
    return state;
  }

  #outcome(expect: Outcome): unknown {
    return "echo" in expect ? expect : { ...expect, state: this.#object(expect.state) };
  }
}

function outcome(state: Props, news: Props, id: string): unknown {
  if (!("__fieldManager" in state)) {
    deepEqual(state, news);
    return { echo: true };
  }
  return { ...(id ? { id } : {}), state: withoutChance(state), managers: managers(state) };
}

/** Without what differs from run to run. */
function withoutChance({ status: _, ...state }: Props): Props {
  const { managedFields, uid, creationTimestamp, resourceVersion, ...metadata } = propsOf(state.metadata);
  const { clusterIP, clusterIPs, ...spec } = propsOf(state.spec);
  const kept = Object.entries(state).filter(([key]) => !key.startsWith("__"));
  return { ...Object.fromEntries(kept), metadata, ...(state.kind === "Service" ? { spec } : {}) };
}

function managers(state: Props): string[] {
  const entries = at(state, "metadata", "managedFields");
  const own = textAt(state, "__fieldManager");
  const name = (entry: Value): string =>
    [textAt(entry, "manager").replace(own, "own"), textAt(entry, "operation"), textAt(entry, "subresource")].join(" ");
  return (Array.isArray(entries) ? entries : []).map((entry) => name(entry).trim()).sort();
}

/** The words without what differs from run to run. */
function recordable(message: string): string {
  return message
    .replaceAll(/pulumi-kubernetes-[0-9a-f]{8}/g, "pulumi-kubernetes-*")
    .replace(/(unable to load schema information from the API server): .*/, "$1");
}
