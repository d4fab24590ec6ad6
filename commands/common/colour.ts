/** FORCE_COLOR=0 asks for no colours, and the library that shows our progress takes it for the opposite. Imported before it. */
if (process.env.FORCE_COLOR === "0") {
  process.env.NO_COLOR = "1";
  delete process.env.FORCE_COLOR;
}
