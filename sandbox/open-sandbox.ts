import { randomUUID } from 'node:crypto';
import { type Db, run } from '#kernel/db/db.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '#sandbox/host.ts';

const ASK_MS = 20_000;

/**
 * Starts the sandbox. Nothing when another process of this service hosts it: they share its state in
 * the database. Throws when its port is another service's, whose messages and providers are not ours.
 */
export async function openSandbox(
  options: Omit<SandboxOptions, 'id'>,
): Promise<Sandbox | undefined> {
  const { db, log, port } = options;
  const id = await sandboxId(db);
  try {
    return await startSandbox({ ...options, id });
  } catch (error) {
    const { code, port: taken } = error as NodeJS.ErrnoException & { port?: number };
    if (code !== 'EADDRINUSE') throw error;
    if (taken !== port)
      throw new Error(`Port ${taken} is taken: set SANDBOX_SMTP_PORT to a free one`);
    if ((await idAt(port)) !== id)
      throw new Error(`Port ${port} is taken by another program: set SANDBOX_PORT to a free one`);
    log.info({ port }, 'the sandbox runs in another process');
    return undefined;
  }
}

/** One for each database. */
async function sandboxId(db: Db): Promise<string> {
  const [row] = await run<{ value: string }>(
    db,
    `insert into service_state (name, value) values ('sandbox_id', to_jsonb($1::text))
     on conflict (name) do update set value = service_state.value returning value`,
    [randomUUID()],
  );
  if (!row) throw new Error('A row that was kept is missing');
  return row.value;
}

async function idAt(port: number): Promise<unknown> {
  try {
    const reply = await fetch(`http://localhost:${port}/index.json`, {
      signal: AbortSignal.timeout(ASK_MS),
    });
    return ((await reply.json()) as { id?: unknown }).id;
  } catch {
    return undefined;
  }
}
