import * as pulumi from "@pulumi/pulumi";
import { isMap } from "../../config/model/maps.ts";
import type { Member } from "../../config/model/members/member.ts";
import type { Settings } from "../../config/model/settings/settings.ts";
import { namespaceName } from "../../naming/names.ts";
import { broken } from "./invariants.ts";
import { type BrokenInvariant, Judgement } from "./judgement.ts";
import { type Registration, Registrations } from "./registration.ts";

/**
 * Checks every resource that the program registers from now on against invariants.ts, in previews and ups alike.
 * Resources that are registered in one go wait until all of them are judged: the shared objects with the first members,
 * then further members some at a time (memberEnvironments.ts). So if the program breaks an invariant for everybody,
 * nothing is made, and one error names all violations. Afterwards the gate lets nothing more through.
 *
 * It is a transformation, which the Node SDK calls in the program's own process: no flag or plugin is needed, and no
 * engine can skip it. The engine calls a transform resource by resource, when earlier ones are made already; and a
 * policy pack needs `--policy-pack` in every preview and up.
 * @param list all members, also those outside the run's targets
 * @param ending names of members whose namespace is being deleted; nothing of theirs is written
 * @see https://www.pulumi.com/docs/iac/concepts/resources/options/transformations/
 */
export function policyGate(list: readonly Member[], settings: Settings, ending: ReadonlySet<string>): void {
  const gate = new Gate(list, settings, ending);
  pulumi.runtime.registerStackTransformation((args) => gate.hold(args));
}

class Gate {
  readonly #judgement: Judgement;
  readonly #registrations = new Registrations();
  #batch: Registration[] = [];
  /** Settles when the batch has been judged. */
  #judged: Promise<void> | undefined;
  /** The error of all later resources; undefined while the gate is open. */
  #closed: pulumi.RunError | undefined;

  constructor(list: readonly Member[], settings: Settings, ending?: ReadonlySet<string>) {
    this.#judgement = new Judgement(list, settings, ending);
  }

  /** Delays a resource until it has been judged. */
  hold(args: pulumi.ResourceTransformationArgs): pulumi.ResourceTransformationResult {
    const { props, opts } = args;
    const registration = this.#registrations.read(args);
    this.#batch.push(registration);
    this.#judged ??= this.#judge();
    // Pulumi handles a resource only once its dependencies are known.
    const dependsOn = this.#judged.then(() => opts.dependsOn ?? []) as Promise<pulumi.Input<pulumi.Resource>[]>;
    return { props: this.#watched(props, registration), opts: { ...opts, dependsOn } };
  }

  /** Waits for the end of the program's current task, since one constructor registers many resources. */
  async #judge(): Promise<void> {
    await new Promise(setImmediate);
    const batch = this.#batch;
    this.#batch = [];
    this.#judged = undefined;
    const brokenInvariants = this.#closed === undefined ? this.#judgement.brokenInvariants(batch) : [];
    if (brokenInvariants.length > 0) {
      this.#close(brokenInvariants);
    }
    if (this.#closed !== undefined) {
      throw this.#closed;
    }
  }

  #close(brokenInvariants: readonly BrokenInvariant[]): pulumi.RunError {
    this.#closed ??= new pulumi.RunError(refusal(brokenInvariants));
    return this.#closed;
  }

  /** Checks a namespace that is another resource's output as soon as the value is known. */
  #watched(props: pulumi.Inputs, { name, args: { kind }, parent }: Registration): pulumi.Inputs {
    const { metadata } = props;
    if (!isMap(metadata) || !pulumi.Output.isInstance(metadata.namespace)) {
      return props;
    }
    const member = parent?.split(" ")[1] ?? "";
    const home = namespaceName({ name: member });
    const namespace = metadata.namespace.apply((value: unknown) => {
      if (value !== home) {
        const message = `is '${value}', which is not the member's namespace '${home}'`;
        throw this.#close([
          { ...broken("own-places", "metadata.namespace", message), member, object: `${kind} ${name}` },
        ]);
      }
      return value;
    });
    return { ...props, metadata: { ...metadata, namespace } };
  }
}

/** Lines of an error: more than a screen or two helps nobody. */
const mostLines = 50;

/** Error message for broken invariants. */
export function refusal(brokenInvariants: readonly BrokenInvariant[]): string {
  const lines = brokenInvariants.map(({ member, object, field, message, invariant }) => {
    const whose = member === undefined ? "" : `member '${member}': `;
    return `  ${whose}${object}: ${field}: ${message} (${invariant})`;
  });
  const shown =
    lines.length > mostLines ? [...lines.slice(0, mostLines), `  and ${lines.length - mostLines} more`] : lines;
  return [
    "The policy gate stops this run: it would break invariants (docs/reference/policy-gate.md). It has made none of these, nor",
    "anything registered together with them or after them:",
    ...shown,
    "No setting helps: it is a mistake in kubecamp's code. If you changed the code, correct or undo the change; otherwise report",
    "these lines to kubecamp's developers.",
  ].join("\n");
}
