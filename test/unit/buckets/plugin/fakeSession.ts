import type { Session } from "../../../../buckets/plugin/session.ts";
import { FakeS3 } from "../fakeS3.ts";
import { FakeUsers } from "../fakeUsers.ts";

/** A configured provider on a server in memory, and what it has said. */
interface FakeSession {
  readonly session: Session;
  readonly s3: FakeS3;
  readonly users: FakeUsers;
  readonly said: string[];
}

export function fakeSession(): FakeSession {
  const s3 = new FakeS3();
  const users = new FakeUsers(s3);
  const said: string[] = [];
  const session: Session = {
    configuration: {
      endpoint: "https://s3.test",
      region: "us-east-1",
      forcePathStyle: true,
      accessKeyId: "ROOT",
      secretAccessKey: "root-secret",
      stack: "kubecamp/prod",
    },
    server: { s3: () => s3, users: () => users },
    log: {
      say: async (severity, _, message) => void said.push(`${severity} ${message}`),
      status: async (_, message) => void said.push(`STATUS ${message}`),
      close: () => undefined,
    },
    signal: new AbortController().signal,
  };
  return { session, s3, users, said };
}
