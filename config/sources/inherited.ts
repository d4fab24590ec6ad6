import { isMap, unread } from "../values/maps.ts";
import { project, providerMistakes, type Source } from "./sources.ts";

const projectFile = "Pulumi.yaml";

/**
 * A stack's settings with those that Pulumi adds, for commands that read the files without Pulumi. The project's value
 * applies if the stack has none. Values of environments can't be read, so keys that could come from there count as
 * valid.
 * @param ofProject `config` in `Pulumi.yaml`
 * @see https://www.pulumi.com/docs/iac/concepts/config/#project-level-configuration
 * @see https://www.pulumi.com/docs/esc/guides/pulumi-iac/
 */
export function withInherited(stack: Source, ofProject: Readonly<Record<string, unknown>>): Source {
  const { raw: own, mistakes } = stack;
  if (mistakes.length > 0 && Object.keys(own).length === 0) {
    return stack;
  }
  const inherited = Object.fromEntries(
    Object.entries(ofProject).flatMap(([key, declared]) => {
      const name = key.startsWith(`${project}:`) ? key.slice(project.length + 1) : key;
      const value = isMap(declared) ? (declared.default ?? declared.value) : declared;
      return name.includes(":") || value === undefined || Object.hasOwn(own, name) ? [] : [[name, value]];
    }),
  );
  const raw = { ...inherited, ...own };
  return {
    ...stack,
    raw: stack.hasEnvironment === true ? { ...raw, ...heldRight(raw) } : raw,
    mistakes: [
      ...mistakes,
      ...providerMistakes(Object.keys(ofProject)).map((mistake) => ({ ...mistake, file: projectFile })),
    ],
    inheritedFrom: ([name]) => (Object.hasOwn(inherited, String(name)) ? projectFile : undefined),
  };
}

/** Marks keys as unread that rules ask for, and an environment may set. Pulumi merges maps and replaces lists. */
function heldRight(raw: Readonly<Record<string, unknown>>) {
  const { bucketKeys, members, membersFile, route } = raw;
  const ofRoute = isMap(route) && route.kind === "gateway" ? ["gateway", "namespace"] : ["controller"];
  const held = Object.entries({ route: ["host", ...ofRoute], ...required }).map(([key, keys]) => {
    const value = raw[key];
    return [key, isMap(value) ? { ...allUnread(keys), ...value } : (value ?? unread)];
  });
  return {
    ...Object.fromEntries(held),
    ...(isMap(bucketKeys) && bucketKeys !== unread ? { bucketKeys: heldRightKeys(bucketKeys) } : {}),
    ...(members === undefined && membersFile === undefined ? { members: unread } : {}),
  };
}

const required: Readonly<Record<string, readonly string[]>> = {
  oidc: ["issuerUrl", "clientId", "usernameClaim", "groupsClaim", "usernamePrefix", "groupsPrefix"],
  ci: ["audience"],
  storage: [
    ...["kind", "endpoint", "accessKeyId", "secretAccessKey", "users", "adopt"],
    ...["version", "bucketClassName", "bucketAccessClassName"],
  ],
  memberTypes: [],
};

const allUnread = (keys: readonly string[]) => Object.fromEntries(keys.map((key) => [key, unread]));

const heldRightKeys = (bucketKeys: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(bucketKeys).map(([name, keys]) => [
      name,
      isMap(keys) && keys !== unread ? { ...allUnread(["accessKeyId", "secretAccessKey"]), ...keys } : keys,
    ]),
  );
