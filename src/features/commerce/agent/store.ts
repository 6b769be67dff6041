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
  /** The parameter of the agent's last question. */
  asked: Type.Optional(oneOfWords(PARAMETERS)),
  /** Parameters with several readings that the agent has not asked for yet. */
  doubts: Type.Array(oneOfWords(PARAMETERS)),
  /** The user's messages about this intent, the oldest first. */
  said: Type.Array(Type.String()),
});
/** An intent that is not complete yet, or waits for the user's confirmation. */
export type Conversation = Static<typeof State>;

const TTL_MS = 3600 * 1000;

interface SealedStore {
  readonly db: Db;
  readonly vault: Vault;
}

const contextOf = (user_id: number): string => `agent conversation:${user_id}`;

/** Undefined where there is none, where it has expired, or where another key or version has written it. */
export async function findConversation(
  { db, vault }: SealedStore,
  user_id: number,
  at: Date,
): Promise<Conversation | undefined> {
  const row = await db
    .selectFrom('agent_conversations')
    .select('sealed_state')
    .where('user_id', '=', user_id)
    .where('expires_at', '>', at.toISOString())
    // An older version of the service writes `state` instead.
    .where('state', 'is', null)
    .executeTakeFirst();
  const state = row?.sealed_state && opened(vault, row.sealed_state, user_id);
  return Value.Check(State, state) ? state : undefined;
}

/** Ignores a conversation whose key is gone: it would have expired within the hour. */
function opened(vault: Vault, sealed: string, user_id: number): unknown {
  try {
    return JSON.parse(vault.open(sealed, contextOf(user_id)));
  } catch {
    return undefined;
  }
}

/** Sealed, since people paste the secret words of their wallets into chats. */
export const saveConversation = (
  { db, vault }: SealedStore,
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

/** For the check of a restored database. */
export const SEALED_CONVERSATIONS: SealedKind = {
  what: 'conversations with the agent',
  text: `select sealed_state as sealed, 'agent conversation:' || user_id as context, null::bytea as mark
    from agent_conversations where sealed_state is not null`,
};

const recent = (said: readonly string[]): string[] =>
  said.slice(-SAID_MAX).map((text) => text.slice(0, SAID_CHARS).toWellFormed());

export const endConversation = (db: Db, user_id: number): Promise<unknown> =>
  run(db, 'delete from agent_conversations where user_id = $1', [user_id]);

/** Deletes a batch of expired ones; answers how many. */
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
export const pingDatabase = (db: Db): Promise<unknown> => run(db, 'select 1', []);
