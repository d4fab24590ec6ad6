/** Does something with further variables in this process's environment, which is as it was after that whatever was set meanwhile. */
export async function withEnvironment<T>(
  variables: Readonly<Record<string, string>>,
  action: () => Promise<T>,
): Promise<T> {
  const then = { ...process.env };
  Object.assign(process.env, variables);
  try {
    return await action();
  } finally {
    for (const name of Object.keys(process.env)) {
      if (!(name in then)) {
        delete process.env[name];
      }
    }
    Object.assign(process.env, then);
  }
}
