import assert from "node:assert/strict";
import { keepSecretsOutOfDebugMessages } from "../../../../components/storage.ts";

/** An engine that remembers what it was told. */
class Engine {
  readonly reported: string[] = [];

  log(request: { getMessage(): string }, done: () => void): void {
    this.reported.push(request.getMessage());
    done();
  }
}

/** A message, as the SDK hands it over. */
class Request {
  #message: string;

  constructor(message: string) {
    this.#message = message;
  }

  getMessage(): string {
    return this.#message;
  }

  setMessage(message: string): void {
    this.#message = message;
  }
}

async function reportedAs(message: string): Promise<string | undefined> {
  const engine = new Engine();
  keepSecretsOutOfDebugMessages(engine);
  await new Promise<void>((done) => engine.log(new Request(message), done));
  return engine.reported[0];
}

describe("what the SDK tells for debugging", () => {
  it("leaves a resource's outputs out of the SDK's debug messages, and nothing else", async () => {
    const label = "RegisterResource RPC finished: resource:ana/bucket-user[x]; err: null";
    assert.equal(await reportedAs(`${label}, resp: urn,secretAccessKey,,top-secret`), `${label}, resp: (left out)`);
    for (const message of [label, "Buckets:\n  ana: 'x', resp: y", "Registering resource: t=x"]) {
      assert.equal(await reportedAs(message), message);
    }
  });

  it("tells nobody the SDK's debug messages where there is no engine", () => {
    assert.doesNotThrow(() => keepSecretsOutOfDebugMessages(undefined));
  });
});
