// Each of mocha's workers loads all that the tests import. Plain JavaScript, and without an import from here: else Node would
// load what strips types only to read files that come before the cache. The same folder as in sandbox/environment.ts.
import { enableCompileCache } from "node:module";
import { join } from "node:path";

enableCompileCache(join(import.meta.dirname, "../../.sandbox/tools/compiled"));
