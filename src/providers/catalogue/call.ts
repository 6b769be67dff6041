import { type Outcome, type ProviderReply, refused, unknown } from '#kernel/provider-call.ts';

export interface CatalogueSettings {
  /** `https://api.etsy.com` for the first one. */
  url(): string;
  readonly key: string;
  /** Of one call; a search makes two. */
  readonly timeoutMs?: number;
}

export const UNKNOWN_SHAPE = 'an answer of another shape';

/** The outcome of a failed call. A search changes nothing there, so all but a wrong key may succeed later. */
export function catalogueFailure(reply: ProviderReply): Outcome<never> {
  if ('lost' in reply) return unknown(reply.lost);
  if (reply.status === 401 || reply.status === 403)
    return refused('CREDENTIALS', `The marketplace refuses our key (${reply.status})`);
  return unknown(`status ${reply.status}`);
}
