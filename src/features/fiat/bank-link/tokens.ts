import type { SealedKind } from '#kernel/secrets/sealed.ts';
import type { Vault } from '#kernel/secrets/vault.ts';
import type { BankLinkConnection } from './connection-store.ts';

const context = (connection_id: string): string => `bank-access-token:${connection_id}`;

/** The stored form of a connection's access token: sealed, with a fingerprint to find it by. */
export const keptToken = (vault: Vault, connection_id: string, accessToken: string) => ({
  sealed_token: vault.seal(accessToken, context(connection_id)),
  token_print: printOf(vault, accessToken),
});

export const printOf = (vault: Vault, accessToken: string): Buffer =>
  vault.fingerprint(accessToken, 'bank-access-token');

/** Nothing after its removal. */
export const tokenOf = (
  vault: Vault,
  { connection_id, sealed_token }: Pick<BankLinkConnection, 'connection_id' | 'sealed_token'>,
): string | undefined =>
  sealed_token === null ? undefined : vault.open(sealed_token, context(connection_id));

/** Connections that are not removed, each with its token. */
export const SEALED_TOKENS: readonly SealedKind[] = [
  {
    what: "tokens of people's bank accounts",
    text: `select sealed_token as sealed, 'bank-access-token:' || connection_id as context, token_print as mark
      from bank_connections where sealed_token is not null`,
    markOf: printOf,
  },
];
