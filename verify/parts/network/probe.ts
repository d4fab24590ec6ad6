/** A connection to try. */
export interface Try {
  /** `name`: to ask DNS for a name, by UDP. */
  readonly how: "tcp" | "name";
  readonly address: string;
  readonly port: number;
}

/** Prints `<number> open` or `<number> closed` for each argument; tries twice what fails, and all at the same time. */
export const probeScript = `
for tool in nc nslookup grep; do
  command -v $tool >/dev/null || { echo "the image has no $tool"; exit; }
done
# Once connected, it becomes \`true\`, so that it does not wait for the other side.
tcp() { nc -w 5 "$1" "$2" -e true </dev/null >/dev/null 2>&1; }
name() { nslookup "$1" 2>&1 | grep -q -e '^Name:' -e "server can't find"; }
reach() {
  if "$2" "$3" "$4" || { sleep 1; "$2" "$3" "$4"; }; then echo "$1 open"; else echo "$1 closed"; fi
}
for each in "$@"; do reach $each & done
wait
`;

export const probeArguments = (all: readonly Try[]): string[] =>
  all.map(({ how, address, port }, number) => `${number} ${how} ${address} ${port}`);

/** Whether each was open. @throws Error if the message is not the script's */
export function answersIn(message: string, all: readonly Try[]): readonly boolean[] {
  const lines = new Map(
    message
      .trim()
      .split("\n")
      .map((line) => line.split(" ") as [string, string]),
  );
  return all.map((_, number) => {
    const answer = lines.get(String(number));
    if (lines.size !== all.length || (answer !== "open" && answer !== "closed")) {
      throw new Error(`its pod ended with: ${message.trim().slice(0, 200)}`);
    }
    return answer === "open";
  });
}
