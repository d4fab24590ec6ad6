import { execa } from "execa";
import { Problem } from "../../../commands/common/problem.ts";
import { goVersionIn, isAtLeast } from "./versions.ts";

const wantedGo = "1.26.0";

/** Go's settings for our builds: the user's GOFLAGS or go.work must not affect the result. */
const goSettings = {
  CGO_ENABLED: "0",
  GO111MODULE: "on",
  GOARCH: "",
  GOFLAGS: "-mod=readonly -buildvcs=false",
  GOOS: "",
  GOTOOLCHAIN: "local",
  GOWORK: "off",
} as const;

export interface Go {
  readonly env: NodeJS.ProcessEnv;
  readonly buildCache: string;
  readonly moduleCache: string;
}

const remedy = `Install Go ${wantedGo} or later (https://go.dev/dl/) and see that 'go version' shows it.`;

export async function findGo(environment: NodeJS.ProcessEnv): Promise<Go> {
  const env = { ...environment, ...goSettings };
  const result = await execa("go", ["env", "-json", "GOVERSION", "GOCACHE", "GOMODCACHE"], {
    env,
    extendEnv: false,
    reject: false,
  });
  if (result.exitCode === undefined) {
    throw new Problem("Go is missing.", {
      why: "The sandbox builds the tools that it can't download, and no 'go' is on the PATH.",
      remedy,
    });
  }
  if (result.exitCode !== 0) {
    throw new Problem("Go does not run.", { why: result.stderr || "'go env' failed and said nothing.", remedy });
  }
  const facts = JSON.parse(result.stdout) as Record<string, string | undefined>;
  const version = goVersionIn(facts.GOVERSION ?? "");
  if (version === undefined || !isAtLeast(version, wantedGo)) {
    throw new Problem("Go is too old.", {
      why: `This is ${facts.GOVERSION || "a Go that doesn't tell its version"}, and the tools need ${wantedGo} or later.`,
      remedy,
    });
  }
  return { env, buildCache: facts.GOCACHE ?? "", moduleCache: facts.GOMODCACHE ?? "" };
}
