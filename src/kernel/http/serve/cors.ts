import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import { OUTCOME_HEADER, RETRY_HEADER, RETRY_MS_HEADER } from '#kernel/http/declare/retrying.ts';
import { VERSION_HEADER } from './versions.ts';

/** Lets pages of these origins call the API, and read its headers. */
export async function allowOrigins(server: FastifyInstance, origins: string): Promise<void> {
  const list = origins
    .split(',')
    .map((origin) => origin.trim())
    .filter(Boolean);
  if (list.length === 0) return;
  await server.register(cors, {
    origin: list.includes('*') ? true : list,
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: [
      'x-request-id',
      'x-ratelimit-limit',
      'x-ratelimit-remaining',
      'x-ratelimit-reset',
      'retry-after',
      'www-authenticate',
      RETRY_MS_HEADER,
      RETRY_HEADER,
      OUTCOME_HEADER,
      'idempotent-replayed',
      'link',
      'x-ignored-fields',
      'x-statement-digest',
      VERSION_HEADER,
    ],
    maxAge: 600,
  });
}
