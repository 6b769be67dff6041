import type { Static, TSchema } from 'typebox';
import type { Db } from '../db/db.ts';
import { fail } from '../error.ts';
import { MetadataPatch } from '../http/declare/caller-names.ts';
import { codedEnvelope } from '../http/declare/envelope.ts';
import { versionMeant } from '../http/declare/if-match.ts';
import { endpoints, type Route, type UserCaller } from '../http/declare/route.ts';
import { stamped } from '../http/declare/schema.ts';
import { mergeMetadata, type NameableObject } from './merge-metadata.ts';
import { namesReaderOf } from './object-names.ts';

/** A thing within the reach of a caller: as its events name it, and as GET answers it. */
export interface FoundThing<S extends TSchema> {
  readonly object: NameableObject;
  readonly data: Static<S>;
}

export interface MetadataRouteFacts<P extends TSchema, S extends TSchema> {
  /** Of the operation, as `recipients.setMetadata`. */
  readonly name: `${string}.setMetadata`;
  /** With its article, as `a recipient`. */
  readonly noun: string;
  readonly auth?: 'user' | 'admin';
  readonly params: P;
  /** The answer of GET. */
  readonly shape: S;
  /** Reads the thing and its names. Throws NOT_FOUND. */
  find(db: Db, caller: UserCaller, params: Static<P>): Promise<FoundThing<S>>;
}

const endpoint = endpoints(codedEnvelope);

/**
 * `PATCH <thing>/metadata`: the owner or an admin changes the metadata at any time, also after the end. Who only sees the
 * thing, as the receiver of a transfer, is refused: the names are those of its maker.
 */
export const metadataRoute = <P extends TSchema, S extends TSchema>(
  id: `PATCH /${string}/metadata`,
  { name, noun, auth = 'user', params, shape, find }: MetadataRouteFacts<P, S>,
): Route =>
  endpoint(id, {
    name,
    auth,
    errors: ['NOT_FOUND', 'FORBIDDEN', 'VERSION_CONFLICT'],
    summary: `Changes the metadata of ${noun}, at any time`,
    params,
    body: MetadataPatch,
    reply: { 200: stamped({ data: shape }) },
    atomic: true,
    fault: `Failed to change the metadata of ${noun}`,
    async handler({ caller, params, body, request, db }) {
      const { object } = await find(db, caller, params);
      if (caller.role !== 'admin' && object.user_id !== caller.user_id)
        throw fail('FORBIDDEN', 'The metadata belongs to another person');
      const version = versionMeant(body, request.headers);
      const { metadata } = body;
      await mergeMetadata(db, object, { metadata, version, reader: namesReaderOf(caller) });
      const { data } = await find(db, caller, params);
      return { data } as never;
    },
  });
