import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { toolCache } from "../../scaffold/sandbox/tools/cache.ts";

// Each of mocha's workers loads all that the tests import.
enableCompileCache(join(toolCache, "compiled"));
