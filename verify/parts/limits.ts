import type { V1Pod, V1ResourceQuota } from "@kubernetes/client-node";
import { hands, inParallel } from "../../cluster/inParallel.ts";
import { listPath, objectPath } from "../../cluster/kinds/kinds.ts";
import { quantityValue } from "../../cluster/kinds/quantity.ts";
import { resourceQuotaName } from "../../config/names/names.ts";
import { resourceQuota } from "../../objects/resourceQuota.ts";
import { broken, held, type Outcome, type Tried, tried, unproven } from "../outcome.ts";
import { type Player, type Stage, wordsOf } from "../stage/stage.ts";
import type { Trial } from "../trial.ts";
import { askerOf, oneOfEach } from "./admission/asker.ts";
import { type Asker, dryRunPatiently, isFine, refusedToo, tryAll } from "./admission/attempt.ts";
import { ownName, type Permitted, permittedTo } from "./admission/permitted.ts";
import { defaultDifferences, quotaDifferences } from "./limits/figures.ts";
import { ofShare } from "./limits/share.ts";
import { promisesPage as page } from "./pages.ts";

interface Case {
  readonly player: Player;
  readonly asker: Asker;
  readonly may: Permitted;
  readonly stage: Stage;
}

/** Tries the quota and the limits of each type. One with `quota: false` has only limits of containers that state none. */
export async function tryLimits({ stage, options }: Trial): Promise<readonly Tried[]> {
  const each = await inParallel(oneOfEach(stage.players), hands, async (player) => {
    const asker = await askerOf(player, stage);
    const { member } = player;
    const all = { player, asker, may: permittedTo(player, options.image), stage };
    const ofAll = await tried(defaults, asker.by, () => judgeDefaults(all));
    return [ofAll, ...(member.type.quota ? await tryQuota(all) : [])];
  });
  return each.flat();
}

const defaults = { promise: "Containers that state no resources get those of the settings", page };
const figures = { promise: "The quota in force is that of the settings", page };
const counts = { promise: "Nobody makes more objects than their quota has", page };

async function tryQuota(of: Case): Promise<readonly Tried[]> {
  const { player, asker, may, stage } = of;
  const most = quantityValue(resourceQuota(player.member, stage.settings).spec.hard[cronJobs] ?? "") ?? 0;
  return [
    await tried(figures, asker.by, () => judgeFigures(of)),
    ...(await tryAll([{ ...asker, all: [ofShare(may, player.member)] }], stage.signal)),
    ...(most <= mostMade ? [await tried(counts, asker.by, () => judgeCount(of, most))] : []),
  ];
}

async function judgeDefaults({ player, asker, may, stage }: Case): Promise<Outcome> {
  const request = may.pod({ container: { resources: undefined } });
  const answer = await dryRunPatiently(request, asker.ask, stage.signal);
  if (!isFine(answer)) {
    return refusedToo(request, answer);
  }
  const [container] = (answer.body as V1Pod).spec?.containers ?? [];
  const wrong = defaultDifferences(container?.resources ?? {}, player.member, stage.settings);
  return wrong.length === 0 ? held : broken("ran a container that states no resources", wrong.join(", "));
}

async function judgeFigures({ player: { member, namespace }, stage: { api, settings } }: Case): Promise<Outcome> {
  const path = objectPath({ kind: "ResourceQuota", name: resourceQuotaName, namespace });
  const what = `the ResourceQuota of '${namespace}'`;
  const wrong = quotaDifferences((await api.get<V1ResourceQuota>({ what, path })) ?? {}, member, settings);
  return wrong.length === 0 ? held : broken(`read ${what}`, wrong.join(", "));
}

/** Of these, a quota allows fewest, and a suspended one does nothing. */
const cronJobs = "count/cronjobs.batch";
/** More would take long, and the quota's figures are compared in any case. */
const mostMade = 120;
/** Tries past the limit: two requests at once may get in each other's way. */
const more = 5;

async function judgeCount({ player, asker: { ask }, may }: Case, most: number): Promise<Outcome> {
  const names = Array.from({ length: most + more }, (_, index) => `${ownName}-${index}`);
  const made = await inParallel(names, hands, (each) => {
    const { method, path, body } = may.cronJob({ metadata: { name: each } });
    return ask(method, path, body);
  });
  await ask("DELETE", listPath("CronJob", player.namespace));
  const accepted = made.filter(isFine).length;
  const refusal = made.find((answer) => !isFine(answer));
  if (accepted > most) {
    return broken(`made ${names.length} CronJobs`, `the API server accepted ${accepted}, and the quota has ${most}`);
  }
  return accepted === most
    ? held
    : unproven(`of ${most} CronJobs, ${accepted} could be made: ${refusal === undefined ? "" : wordsOf(refusal)}`);
}
