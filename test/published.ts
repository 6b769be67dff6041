import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv, type ValidateFunction } from 'ajv';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Simulator } from '#sandbox/simulator.ts';

/** What the document says of answers, by the route as it writes it and the status. */
type Answers = Readonly<
  Record<string, { readonly response: Readonly<Record<string, object | undefined>> }>
>;

/** What an answer has that the provider's own document does not allow; nothing where it is as published. */
export type Published = (route: string, status: number, answer: unknown) => string | undefined;

/** Blockfrost's OpenAPI, as the package of the lockfile's version and hash has it. */
export function blockfrostDocument(): Published {
  const file = createRequire(import.meta.url).resolve('@blockfrost/openapi/json-schema.json');
  const answers = JSON.parse(readFileSync(file, 'utf8')) as Answers;
  const ajv = new Ajv({ strict: false });
  const known = new Map<object, ValidateFunction>();
  return (route, status, answer) => {
    const schema = answers[route]?.response[status];
    if (schema === undefined) return `${route} has no answer ${status} in the document`;
    const check = known.get(schema) ?? ajv.compile(schema);
    known.set(schema, check);
    if (check(answer)) return undefined;
    return `${route} ${status}: ${ajv.errorsText(check.errors)}`;
  };
}

/** The simulator, with a list of its answers that are not as published. */
export function held(
  simulator: Simulator,
  published: Published,
): Simulator & { readonly unpublished: readonly string[] } {
  const unpublished: string[] = [];
  return {
    ...simulator,
    unpublished,
    wire(server, world) {
      server.addHook('onSend', async (request, reply, payload) => {
        const route = routeOf(request, simulator.prefix);
        if (route === undefined || typeof payload !== 'string' || isSpoiled(reply)) return payload;
        const why = published(route, reply.statusCode, JSON.parse(payload));
        if (why !== undefined) unpublished.push(why);
        return payload;
      });
      simulator.wire?.(server, world);
    },
  };
}

/** `/txs/{hash}` of `/prefix/txs/:hash`; nothing for what is no route of it. */
const routeOf = ({ routeOptions: { url } }: FastifyRequest, prefix: string) =>
  url?.slice(prefix.length).replaceAll(/:([a-z_]+)/g, '{$1}');

/** Answered by a fault, in another form than JSON. */
const isSpoiled = (reply: FastifyReply) =>
  !String(reply.getHeader('content-type')).includes('json');
