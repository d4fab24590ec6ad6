// FORCE_COLOR=0 asks for no colours, but the library for progress takes it for the opposite. Import this before it.
if (process.env.FORCE_COLOR === "0") {
  process.env.NO_COLOR = "1";
  delete process.env.FORCE_COLOR;
}
