import { isIPv6 } from "node:net";
import type { Settings } from "../../../config/settings.ts";
import { withArticle } from "../../../config/values/sentences.ts";
import { networkPolicy } from "../../../objects/networkPolicy.ts";
import { broken, held, type Outcome, type Tried, unproven } from "../../outcome.ts";
import type { Place } from "../pods.ts";
import { type Openness, openness, type Peer, type Rule } from "./policy.ts";
import { nameOf, type Target } from "./targets.ts";
import { promisedBy, type Shown, type Topic, topics } from "./topics.ts";

/** A namespace from which all targets were tried. */
export interface Post extends Omit<Place, "ask"> {
  /** Of a pod there: policies of others judge where a connection comes from. */
  readonly peers: readonly Peer[];
  /** Whether each target was open from there, or why nobody knows. */
  readonly answers: readonly boolean[] | string;
}

export interface Tries {
  readonly settings: Settings;
  /** One of them is no member's. */
  readonly posts: readonly Post[];
  readonly targets: readonly Target[];
  /** Why nothing is known of what the cluster has. */
  readonly unread?: string | undefined;
}

interface Connection {
  readonly from: Post;
  readonly target: Target;
  readonly expected: "open" | "closed";
  readonly isOpen: boolean;
  /** Where another pod must have been answered, or to be closed proves nothing. Absent for a member's own pod. */
  readonly witness?: Post;
  readonly isAnswered: boolean;
}

/** What the connections from each namespace show of each promise. */
export const judged = (tries: Tries): readonly Tried[] =>
  tries.posts.flatMap((from) => {
    const by = from.member === undefined ? "a pod of no member" : withArticle(from.member.type.name);
    return topicsFrom(from).flatMap((topic) => shownOn(topic, from, tries).map((each) => ({ ...each, by })));
  });

/** From outside of members' namespaces only the way in is judged; the rest is for comparison. */
const topicsFrom = ({ member }: Post): Topic[] =>
  (Object.keys(topics) as Topic[]).filter((topic) => (topic === "inbound") === (member === undefined));

function shownOn(topic: Topic, from: Post, tries: Tries): Omit<Tried, "by">[] {
  const all = connectionsOn(topic, from, tries);
  if (all.length === 0) {
    const failed = [from, ...tries.posts].map(({ answers }) => answers).find((answers) => typeof answers === "string");
    const { open, missing }: Shown = topics[topic];
    const promised = promisedBy(topic, open === undefined ? "closed" : "open");
    return [{ ...promised, outcome: unproven(String(failed ?? tries.unread ?? missing)) }];
  }
  return [...Map.groupBy(all, ({ expected }) => expected)].flatMap(([expected, same]) => {
    const byOwner = Map.groupBy(same, ({ target }) => target.owner);
    return [...byOwner.values()].flatMap(outcomesOf).map((outcome) => ({ ...promisedBy(topic, expected), outcome }));
  });
}

function connectionsOn(topic: Topic, from: Post, { settings, posts, targets }: Tries): Connection[] {
  return targets.flatMap((target, number) => {
    const owner = posts.find(({ namespace }) => namespace === target.owner);
    const isOnTopic = topicOf(target, from, owner) === topic;
    const expected = isOnTopic ? expectedOf(topic, { from, target, owner }, settings) : "either";
    if (expected === "either") {
      return [];
    }
    const witness = owner ?? posts.find(({ member }) => member === undefined);
    return {
      from,
      target,
      expected,
      isOpen: from.answers[number] === true,
      isAnswered: witness?.answers[number] === true,
      ...(witness === undefined || witness === from ? {} : { witness }),
    };
  });
}

function topicOf({ topic, address }: Target, from: Post, owner: Post | undefined): Topic | undefined {
  if (owner === undefined || owner === from) {
    return owner === undefined ? topic : "own";
  }
  if (from.member === undefined) {
    return "inbound";
  }
  if (owner.member === undefined) {
    return "private";
  }
  return isIPv6(address) ? "othersIPv6" : "others";
}

interface Ends {
  readonly from: Post;
  readonly target: Target;
  readonly owner: Post | undefined;
}

/** What the NetworkPolicies at both ends say. What a cluster needs to work at all is expected to be open whatever they say. */
function expectedOf(topic: Topic, { from, target, owner }: Ends, settings: Settings): Openness {
  const shown: Shown = topics[topic];
  if (shown.closed === undefined) {
    return "open";
  }
  const out = from.member && networkPolicy(from.member, settings).spec.egress;
  const into = owner?.member && networkPolicy(owner.member, settings).spec.ingress;
  const ways = target.behind.map((end) =>
    least(ruled(out, from, [end], end.port), ruled(into, owner ?? from, from.peers, end.port)),
  );
  return most(ways);
}

const ruled = (
  rules: readonly Rule[] | undefined,
  { namespace }: Post,
  peers: readonly Peer[],
  port: number,
): Openness => (rules === undefined ? "open" : most(peers.map((peer) => openness(rules, namespace, peer, port))));

const order: readonly Openness[] = ["closed", "either", "open"];
const least = (...all: readonly Openness[]): Openness => order.find((each) => all.includes(each)) ?? "open";
const most = (all: readonly Openness[]): Openness => order.findLast((each) => all.includes(each)) ?? "closed";

/** @param all alike: where nothing answers is left out, if another was judged */
function outcomesOf(all: readonly Connection[]): Outcome[] {
  const outcomes = all.map(outcomeOf).filter((outcome) => outcome !== undefined);
  return outcomes.length > 0 ? outcomes : [unproven(unanswered(all))];
}

function outcomeOf({ from, target, expected, isOpen, witness, isAnswered }: Connection): Outcome | undefined {
  if (typeof from.answers === "string") {
    return unproven(from.answers);
  }
  const tried = `a connection from a pod of ${nameOf(from)} to ${textOf(target)}`;
  if (isOpen) {
    return expected === "open" ? held : broken(tried, "it was accepted");
  }
  if (witness === undefined) {
    return broken(tried, "no answer, though the kubelet found that pod ready");
  }
  if (!isAnswered) {
    return undefined;
  }
  return expected === "closed" ? held : broken(tried, `no answer, while a pod of ${nameOf(witness)} gets one`);
}

const textOf = ({ what, address, port }: Target) => `${what} (${isIPv6(address) ? `[${address}]` : address}:${port})`;

/** To be closed proves nothing then. */
function unanswered(all: readonly Connection[]): string {
  const places = all.map(({ target }) => textOf(target)).join(", ");
  const [witness] = all.flatMap(({ witness }) => witness ?? []);
  const answers = witness?.answers;
  return typeof answers === "string"
    ? `nothing to compare with: ${answers}`
    : `nothing answers at ${places}, not to a pod of ${witness && nameOf(witness)} either, so that closed proves nothing`;
}
