/**
 * The repository that a workflow runs for, as GitHub's REST API shows it. This takes no package on purpose: where a token is
 * that writes, none is installed.
 */
interface Repository {
  /** Every element of a list, of all its pages. */
  readonly all: <T>(path: string) => Promise<T[]>;
  readonly send: (method: "PATCH" | "POST", path: string, body: object) => Promise<void>;
  /** The page of this run. */
  readonly run: string;
}

/** Fields that issues and comments share. */
export interface Post {
  readonly body?: string | null;
  readonly user?: { readonly type: string } | null;
}

/** As many characters as GitHub takes for a comment or an issue. */
const mostCharacters = 65_536;

const pageSize = 100;

/**
 * @param env what GitHub gives every job, and GITHUB_TOKEN
 * @throws Error when some of it is missing
 */
export function repositoryOf(env: NodeJS.ProcessEnv): Repository {
  const name = needed(env, "GITHUB_REPOSITORY");
  const base = `${needed(env, "GITHUB_API_URL")}/repos/${name}`;
  const headers = {
    accept: "application/vnd.github+json",
    authorization: `Bearer ${needed(env, "GITHUB_TOKEN")}`,
    "x-github-api-version": "2022-11-28",
  };

  async function ask(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(`${base}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) {
      throw new Error(`GitHub answered ${method} ${path} with ${response.status}: ${messageIn(text)}`);
    }
    return JSON.parse(text);
  }

  return {
    all: async <T>(path: string) => {
      const found: T[] = [];
      for (let page = 1; ; page++) {
        const some = (await ask(
          "GET",
          `${path}${path.includes("?") ? "&" : "?"}per_page=${pageSize}&page=${page}`,
        )) as T[];
        found.push(...some);
        if (some.length < pageSize) {
          return found;
        }
      }
    },
    send: async (method, path, body) => {
      await ask(method, path, body);
    },
    run: `${needed(env, "GITHUB_SERVER_URL")}/${name}/actions/runs/${needed(env, "GITHUB_RUN_ID")}`,
  };
}

/** A comment on an issue or a pull request. */
export interface Comment extends Post {
  readonly id: number;
}

/** Beginning of each comment with a report. */
export const reportBeginning = "<!-- kubecamp report: ";

/** First line of the comment with a stack's report. */
export const reportMarker = (stack: string): string => `${reportBeginning}${stack} -->`;

/** Whether a workflow wrote a post, with this at its beginning. People may quote a marker, and theirs are left alone. */
export const isBots = ({ body, user }: Post, beginning: string): boolean =>
  user?.type === "Bot" && body?.startsWith(beginning) === true;

/** The first post that a workflow wrote with this marker at its beginning. */
export function ours<T extends Post>(posts: readonly T[], marker: string): T | undefined {
  return posts.find((post) => isBots(post, marker));
}

/** @throws Error when GitHub would refuse it */
export function checkedLength(body: string): string {
  if (body.length > mostCharacters) {
    throw new Error(
      `This is ${body.length} characters, and GitHub takes ${mostCharacters}: give 'kubecamp report' a lower --max-length.`,
    );
  }
  return body;
}

export function needed(env: NodeJS.ProcessEnv, name: string): string {
  const value = env[name];
  if (value === undefined || value === "") {
    throw new Error(`${name} is not set: the workflow has to give it.`);
  }
  return value;
}

function messageIn(text: string): string {
  try {
    return (JSON.parse(text) as { message?: string }).message ?? text;
  } catch {
    return text;
  }
}
