/** The part of Eleventy that the site needs: it brings no types. https://www.11ty.dev/docs/programmatic/ */
declare module "@11ty/eleventy" {
  export interface Page {
    /** From the input folder, such as `./docs/README.md`. */
    readonly inputPath: string;
  }

  export interface UserConfig {
    setTemplateFormats(formats: readonly string[]): void;
    setUseGitIgnore(enabled: boolean): void;
    addGlobalData(name: string, value: unknown): void;
    addPassthroughCopy(files: Readonly<Record<string, string>>): void;
    amendLibrary(name: "md", amend: (markdown: Markdown) => void): void;
    addTransform(name: string, transform: (this: { readonly page: Page }, content: string) => string): void;
    readonly ignores: Set<string>;
  }

  /** https://markdown-it.github.io/markdown-it/#Token */
  export interface Token {
    readonly type: string;
    content: string;
    readonly children: Token[] | null;
    attrGet(name: string): string | null;
    attrSet(name: string, value: string): void;
    attrs: [string, string][] | null;
  }

  export interface Markdown {
    readonly core: {
      readonly ruler: {
        push(
          name: string,
          rule: (state: { readonly tokens: Token[]; readonly env: { readonly page: Page } }) => void,
        ): void;
      };
    };
  }

  export class Eleventy {
    constructor(
      input: string,
      output: string,
      options: { readonly quietMode: boolean; readonly config: (config: UserConfig) => void },
    );
    write(): Promise<void>;
  }
}
