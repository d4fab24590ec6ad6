import "../../commands/common/colour.ts";
import { packagedCommand } from "./kubecamp.ts";

await packagedCommand().parseAsync();
