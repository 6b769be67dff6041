import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { integerInput, oneOfWords, text } from '#kernel/http/declare/schema.ts';
import type { Records } from './records.ts';
import type { World } from './simulator.ts';

/** How a statement can differ from what happened: an entry left out, listed twice, or of another amount. */
const STATEMENT_FAULT_KINDS = ['lose', 'double', 'alter'] as const;
type StatementFaultKind = (typeof STATEMENT_FAULT_KINDS)[number];

interface StatementFault {
  readonly kind: StatementFaultKind;
  /** Of the movement: what both sides call it. */
  readonly reference: string;
  /** How many times a statement still tells the entry wrongly; null until it is taken back. */
  readonly times: number | null;
}

/** What a simulator knows of the entries of its statement, in its own wire's form. */
export interface Entries<E> {
  reference(entry: E): string;
  /** The same movement once more, under a name of its own. */
  double(entry: E): E;
  /** The same entry with another amount. */
  alter(entry: E): E;
}

interface Kept extends StatementFault {
  readonly isArmed: boolean;
}

const KIND = 'statement-fault';
const TIMES_MAX = 1000;
const FAULTS_MAX = 1000;

/**
 * One page of a provider's statement as it is answered: every simulator's statement passes through here
 * last, after the page was cut and its cursor made, so that what is lost or doubled moves no page.
 */
export async function spoilStatement<E>(
  { records }: Pick<World, 'records'>,
  provider: string,
  page: readonly E[],
  { reference, double, alter }: Entries<E>,
): Promise<E[]> {
  const armed = new Set((await armedOf(records, provider)).map((fault) => fault.reference));
  const changed: E[] = [];
  for (const entry of page) {
    const name = reference(entry);
    const kind = armed.has(name) ? await useUp(records, provider, name) : undefined;
    if (kind === 'double') changed.push(entry, double(entry));
    else if (kind === 'alter') changed.push(alter(entry));
    else if (kind === undefined) changed.push(entry);
  }
  return changed;
}

const NewFault = Type.Object({
  kind: oneOfWords(STATEMENT_FAULT_KINDS),
  reference: text(200),
  times: Type.Optional(integerInput(1, TIMES_MAX)),
});
const Of = Type.Object({ provider: text(64) });
const Selector = Type.Object({ reference: Type.Optional(text(200)) });

/** `POST /statements/{provider}/faults {kind, reference, times?}`; `GET` shows them, `DELETE` takes them back. */
export function statementControls(
  server: FastifyInstance,
  { records }: World,
  providers: readonly string[],
): void {
  const path = '/statements/:provider/faults';
  server.addHook('preHandler', async ({ routeOptions, params }, reply) => {
    if (routeOptions.url !== path) return;
    const { provider } = params as Static<typeof Of>;
    if (providers.includes(provider)) return;
    const error = `No provider ${provider}; there are ${providers.join(', ')}`;
    return reply.code(400).send({ error, code: 'VALIDATION_ERROR' });
  });

  server.post<{ Params: Static<typeof Of>; Body: Static<typeof NewFault> }>(
    path,
    { schema: { params: Of, body: NewFault } },
    async ({ params, body }, reply) => {
      const { kind, reference, times = null } = body;
      await arm(records, params.provider, { kind, reference, times });
      return reply.code(201).send({ provider: params.provider, kind, reference, times });
    },
  );

  server.get<{ Params: Static<typeof Of> }>(path, { schema: { params: Of } }, ({ params }) =>
    armedOf(records, params.provider),
  );

  server.delete<{ Params: Static<typeof Of>; Querystring: Static<typeof Selector> }>(
    path,
    { schema: { params: Of, querystring: Selector } },
    async ({ params: { provider }, query }) => {
      const all = (await armedOf(records, provider)).map(({ reference }) => reference);
      const chosen = query.reference === undefined ? all : [query.reference];
      for (const reference of chosen) await disarm(records, provider, reference);
      return armedOf(records, provider);
    },
  );
}

/** One for each reference: a new one takes the place of the one before. */
async function arm(records: Records, provider: string, fault: StatementFault): Promise<void> {
  const kept: Kept = { ...fault, isArmed: true };
  if (await records.insert(provider, KIND, fault.reference, kept)) return;
  await records.update<Kept>(provider, KIND, fault.reference, () => kept);
}

const disarm = (records: Records, provider: string, reference: string) =>
  records.update<Kept>(provider, KIND, reference, (kept) => ({ ...kept, isArmed: false }));

async function armedOf(records: Records, provider: string): Promise<StatementFault[]> {
  const kept = await records.list<Kept>(provider, KIND, {
    where: { isArmed: true },
    limit: FAULTS_MAX,
  });
  return kept.map(({ kind, reference, times }) => ({ kind, reference, times }));
}

/** Uses up one of the times of the reference's fault. */
async function useUp(
  records: Records,
  provider: string,
  reference: string,
): Promise<StatementFaultKind | undefined> {
  const used = await records.update<Kept>(provider, KIND, reference, (kept) => {
    if (!kept.isArmed) return undefined;
    const times = kept.times === null ? null : kept.times - 1;
    return { ...kept, times, isArmed: times !== 0 };
  });
  return used?.kind;
}
