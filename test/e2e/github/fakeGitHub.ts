import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

interface Post {
  readonly id: number;
  readonly number: number;
  body: string;
  state: string;
  readonly user: { readonly type: string };
  title?: string;
}

/** The part of GitHub's API that the workflows' scripts use: comments of pull request 7, and issues of `o/r`. */
export class FakeGitHub {
  comments: Post[] = [];
  issues: Post[] = [];
  /** Requests that changed something, such as `POST /issues`. */
  readonly writes: string[] = [];
  /** If set, the answer to every request. */
  refusal: { readonly status: number; readonly text: string } | undefined;
  readonly #server: Server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) {
      text += chunk;
    }
    const url = new URL(request.url ?? "", "http://fake");
    const [status, answer] = this.#answer(request.method ?? "", url, text === "" ? {} : JSON.parse(text));
    const authorized = request.headers.authorization === "Bearer token-of-the-job";
    response.statusCode = this.refusal?.status ?? (authorized ? status : 401);
    response.end(this.refusal?.text ?? JSON.stringify(answer));
  });

  async start(): Promise<void> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
  }

  get env(): Record<string, string> {
    const { port } = this.#server.address() as AddressInfo;
    return {
      GITHUB_API_URL: `http://127.0.0.1:${port}`,
      GITHUB_SERVER_URL: "https://github.example.org",
      GITHUB_REPOSITORY: "o/r",
      GITHUB_RUN_ID: "42",
      GITHUB_TOKEN: "token-of-the-job",
    };
  }

  stop(): void {
    this.#server.close();
  }

  post(body: string, type = "Bot", state = "open"): Post {
    const id = 100 + this.comments.length + this.issues.length;
    return { id, number: id, body, state, user: { type } };
  }

  #answer(method: string, url: URL, body: Partial<Post>): [number, unknown] {
    const path = url.pathname.replace("/repos/o/r", "");
    if (method !== "GET") {
      this.writes.push(`${method} ${path}`);
    }
    const [, kind, first, second] = path.split("/");
    if (kind !== "issues") {
      return [404, { message: "Not Found" }];
    }
    if (method === "GET" && first === undefined) {
      return [
        200,
        page(
          this.issues.filter(({ state }) => state === "open"),
          url,
        ),
      ];
    }
    if (first === "7" && second === "comments") {
      return this.#list(method, url, body, this.comments);
    }
    if (method === "POST" && first === undefined) {
      return this.#list(method, url, body, this.issues);
    }
    if (method === "POST" && second === "comments") {
      return [201, {}];
    }
    const changed = [...this.comments, ...this.issues].find(
      ({ id }) => String(id) === (first === "comments" ? second : first),
    );
    return changed === undefined ? [404, { message: "Not Found" }] : [200, Object.assign(changed, body)];
  }

  #list(method: string, url: URL, body: Partial<Post>, posts: Post[]): [number, unknown] {
    if (method === "GET") {
      return [200, page(posts, url)];
    }
    const made = { ...this.post(body.body ?? ""), ...body };
    posts.push(made);
    return [201, made];
  }
}

function page(posts: readonly Post[], url: URL): readonly Post[] {
  const [size, number] = [Number(url.searchParams.get("per_page") ?? 30), Number(url.searchParams.get("page") ?? 1)];
  return posts.slice(size * (number - 1), size * number);
}
