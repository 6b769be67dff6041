import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { type Db, run } from '#kernel/db/db.ts';
import { oneOfWords } from '#kernel/http/declare/schema.ts';
import type { SealedKind } from '#kernel/secrets/sealed.ts';
import type { Vault } from '#kernel/secrets/vault.ts';
import { INTENTS, LANGUAGES, PARAMETERS } from './intent.ts';

const SAID_MAX = 6;
const SAID_CHARS = 1000;

const State = Type.Object({
  intent: oneOfWords(INTENTS),
  language: oneOfWords(LANGUAGES),
  parameters: Type.Record(Type.String(), Type.String()),
  /** The parameter that the user was asked for last. */
  asked: Type.Optional(oneOfWords(PARAMETERS)),
  /** What the user has written in a way that cannot be read, and has not been asked for yet. */
  doubts: Type.Array(oneOfWords(PARAMETERS)),
  /** What the user wrote of it, the oldest first. */
  said: Type.Array(Type.String()),
});
/** A wish that is not complete yet, or waits for the user's word. */
export type Conversation = Static<typeof State>;

const TTL_MS = 3600 * 1000;

interface Kept {
  readonly db: Db;
  readonly vault: Vault;
}

const contextOf = (user_id: number): string => `agent conversation:${user_id}`;

/** Nothing where there is none, where it has lapsed, or where it was sealed elsewhere or written by another version. */
export async function findConversation(
  { db, vault }: Kept,
  user_id: number,
  at: Date,
): Promise<Conversation | undefined> {
  const row = await db
    .selectFrom('agent_conversations')
    .select('sealed_state')
    .where('user_id', '=', user_id)
    .where('expires_at', '>', at.toISOString())
    // An older version has written it since.
    .where('state', 'is', null)
    .executeTakeFirst();
  const state = row?.sealed_state && opened(vault, row.sealed_state, user_id);
  return Value.Check(State, state) ? state : undefined;
}

/** A conversation whose key is gone is forgotten: it would have lapsed within the hour. */
function opened(vault: Vault, sealed: string, user_id: number): unknown {
  try {
    return JSON.parse(vault.open(sealed, contextOf(user_id)));
  } catch {
    return undefined;
  }
}

/** Sealed: people paste the words of their wallets where they should not. */
export const saveConversation = (
  { db, vault }: Kept,
  user_id: number,
  conversation: Conversation,
  at: Date,
): Promise<unknown> =>
  run(
    db,
    `insert into agent_conversations as c (user_id, sealed_state, updated_at, expires_at)
     values ($1, $2, $3, $4)
     on conflict (user_id) do update
       set state = null, sealed_state = excluded.sealed_state, updated_at = excluded.updated_at,
           expires_at = excluded.expires_at`,
    [
      user_id,
      vault.seal(
        JSON.stringify({ ...conversation, said: recent(conversation.said) }),
        contextOf(user_id),
      ),
      at.toISOString(),
      new Date(at.getTime() + TTL_MS).toISOString(),
    ],
  );

/** Where they are kept, for a check of a restored database. */
export const SEALED_CONVERSATIONS: SealedKind = {
  what: 'conversations with the agent',
  text: `select sealed_state as sealed, 'agent conversation:' || user_id as context, null::bytea as mark
    from agent_conversations where sealed_state is not null`,
};

const recent = (said: readonly string[]): string[] =>
  said.slice(-SAID_MAX).map((text) => text.slice(0, SAID_CHARS).toWellFormed());

export const endConversation = (db: Db, user_id: number): Promise<unknown> =>
  run(db, 'delete from agent_conversations where user_id = $1', [user_id]);

/** A batch of what has lapsed; answers how many. */
export async function forgetConversations(db: Db, at: Date, limit: number): Promise<number> {
  const rows = await run(
    db,
    `delete from agent_conversations where user_id in (
       select user_id from agent_conversations where expires_at <= $1
       order by expires_at limit $2 for update skip locked)
     returning user_id`,
    [at.toISOString(), limit],
  );
  return rows.length;
}

/** Throws where the database does not answer. */
export const askDatabase = (db: Db): Promise<unknown> => run(db, 'select 1', []);
