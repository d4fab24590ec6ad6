import { execa } from "execa";
import { Problem } from "../../commands/common/problem.ts";
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

const remedy = `Install Go ${wantedGo} or later (https://go.dev/dl/) and see that 'go version' shows it.`;

/** Checks that there is a Go that will do, and returns the environment of its builds. @throws Problem if not */
export async function goEnvironment(environment: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  const env = { ...environment, ...goSettings };
  const result = await execa("go", ["env", "GOVERSION"], { env, extendEnv: false, reject: false });
  if (result.exitCode === undefined) {
    throw new Problem("Go is missing.", {
      why: "The sandbox builds the tools that it can't download, and no 'go' is on the PATH.",
      remedy,
    });
  }
  if (result.exitCode !== 0) {
    throw new Problem("Go does not run.", { why: result.stderr || "'go env' failed and said nothing.", remedy });
  }
  const version = goVersionIn(result.stdout);
  if (version === undefined || !isAtLeast(version, wantedGo)) {
    throw new Problem("Go is too old.", {
      why: `This is ${result.stdout || "a Go that doesn't tell its version"}, and the tools need ${wantedGo} or later.`,
      remedy,
    });
  }
  return env;
}
