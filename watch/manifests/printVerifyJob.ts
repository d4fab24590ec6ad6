import { Problem } from "../../commands/common/problem.ts";
import { readStack } from "../../commands/common/stackFile.ts";
import { probeImage, type VerifyJob } from "../../commands/verify/command.ts";
import { verifyRecordName } from "../../config/names/names.ts";
import { utcDay } from "../../config/values/days.ts";
import { withPages } from "../../config/values/pages.ts";
import { parts } from "../../verify/outcome.ts";
import { throwaways } from "../../verify/stage/people.ts";
import { stackFiles } from "./printManifests.ts";
import { verifyManifests } from "./verifyJob.ts";

/** Most characters of a CronJob's name. */
const most = 52;

/** Prints what `kubectl apply` takes to verify a stack by itself. */
export function printVerifyJob({ stack, schedule, kubecampImage, only, image, strict }: VerifyJob): void {
  const folder = process.cwd();
  const { configuration, source } = readStack(stack, folder);
  const { storage } = configuration.settings;
  const name = verifyRecordName({ stack });
  if (name.length > most) {
    throw new Problem(`The stack's name is too long for a CronJob.`, {
      why: `'${name}' has ${name.length} characters, and a CronJob's name at most ${most}.`,
      remedy: `Run 'kubecamp verify --stack ${stack} --record' elsewhere, such as in a pipeline.`,
    });
  }
  const text = verifyManifests(configuration, throwaways(configuration, source.raw, { today: utcDay(), sign: "" }), {
    ...{ name, image: kubecampImage, schedule, files: stackFiles(stack, source, folder) },
    isOpened: storage?.kind === "s3" && storage.users !== undefined && only.includes("buckets"),
    args: [
      ...["verify", "--stack", stack, "--record"],
      ...(only.length === parts.length ? [] : ["--only", only.join(",")]),
      ...(image === probeImage ? [] : ["--image", image]),
      ...(strict ? ["--strict"] : []),
    ],
  });
  console.error(
    withPages(
      `warning: whoever has the token of the ServiceAccount '${name}' can act as ANY USER OF THE CLUSTER (docs/security/verify.md#every-night)`,
    ),
  );
  console.log(text.trimEnd());
}
