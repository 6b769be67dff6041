import { Value } from 'typebox/value';
import {
  callHttp,
  callRepeatable,
  done,
  type HttpCall,
  type Outcome,
  type ProviderReply,
  refused,
  unknown,
} from '#kernel/provider-call.ts';
import { INCLUDES, offerOf, WireFound, WireListing, WireListings } from './etsy-wire.ts';
import type { Offer, ShopCatalogue } from './port.ts';

export interface CatalogueSettings {
  /** `https://api.etsy.com` for the first one. */
  url(): string;
  readonly key: string;
  /** Of one call; a search makes two. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 2_500;
/** What Etsy answers at once, of a search and of ids. */
const PAGE_MAX = 100;

/** Reads listings by Etsy's Open API v3: `keystring:shared secret` in `x-api-key`, no log-in. */
export function etsyCatalogue(settings: CatalogueSettings): ShopCatalogue {
  const call = (name: string, path: string): HttpCall => ({
    name: `marketplace-1 ${name}`,
    method: 'GET',
    url: `${settings.url()}/v3/application${path}`,
    headers: { 'x-api-key': settings.key },
    timeoutMs: settings.timeoutMs ?? TIMEOUT_MS,
  });

  /** One by one: a listing of another shape must not hide the others. */
  async function details(ids: readonly number[]): Promise<Outcome<readonly Offer[]>> {
    const asked = new URLSearchParams({ listing_ids: ids.join(','), includes: INCLUDES });
    const reply = await callHttp(call('listings', `/listings/batch?${asked}`));
    if ('lost' in reply || reply.status !== 200) return failure(reply);
    if (!Value.Check(WireListings, reply.json)) return unknown('an answer of another shape');
    const listings = reply.json.results.filter((one) => Value.Check(WireListing, one));
    const byId = new Map(listings.map((listing) => [listing.listing_id, listing]));
    return done(
      ids.flatMap((id) => {
        const listing = byId.get(id);
        return (listing && offerOf(listing)) ?? [];
      }),
    );
  }

  return {
    async search(query, limit) {
      const asked = { keywords: query, limit: String(Math.min(limit, PAGE_MAX)), offset: '0' };
      const reply = await callHttp(
        call('search', `/listings/active?${new URLSearchParams(asked)}`),
      );
      if ('lost' in reply || reply.status !== 200) return failure(reply);
      if (!Value.Check(WireFound, reply.json)) return unknown('an answer of another shape');
      const ids = reply.json.results.map(({ listing_id }) => listing_id).slice(0, PAGE_MAX);
      return ids.length === 0 ? done([]) : details(ids);
    },

    async find(id) {
      if (!/^[1-9]\d{0,14}$/.test(id)) return done(undefined);
      const asked = new URLSearchParams({ includes: INCLUDES });
      const reply = await callRepeatable(() => call('listing', `/listings/${id}?${asked}`));
      if ('status' in reply && reply.status === 404) return done(undefined);
      if ('lost' in reply || reply.status !== 200) return failure(reply);
      if (!Value.Check(WireListing, reply.json)) return unknown('an answer of another shape');
      return done(offerOf(reply.json));
    },
  };
}

/** A question changes nothing there, so that only our own fault makes it pointless to ask again. */
export function failure(reply: ProviderReply): Outcome<never> {
  if ('lost' in reply) return unknown(reply.lost);
  if (reply.status === 401 || reply.status === 403)
    return refused('CREDENTIALS', `The marketplace refuses our key (${reply.status})`);
  return unknown(`status ${reply.status}`);
}
