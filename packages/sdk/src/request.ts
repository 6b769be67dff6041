import type { OperationSpec, Params } from './call.ts';

export interface Request {
  readonly method: string;
  /** With its query, below the address of the API. */
  readonly path: string;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly contentType?: string;
}

/** Puts the named values of a call where they belong: path, query or body. */
export function requestOf(
  [name, method, template, extras = {}]: OperationSpec,
  params: Params,
  dryRun = false,
): Request {
  const left = new Map(Object.entries(params).filter(([, value]) => value !== undefined));
  const path = template.replace(/\{(\w+)\}/g, (_, key: string) => {
    const value = left.get(key);
    if (value === undefined || value === '') throw new TypeError(`${name} needs ${key}`);
    left.delete(key);
    return encodeURIComponent(String(value));
  });
  const search = new URLSearchParams();
  for (const [key, value] of left) {
    if (method !== 'GET' && !extras.query?.includes(key)) continue;
    search.set(key, Array.isArray(value) ? value.join(',') : String(value));
    left.delete(key);
  }
  if (dryRun) search.set('dry_run', 'true');
  const query = search.size > 0 ? `${path.includes('?') ? '&' : '?'}${search}` : '';
  return { method, path: path + query, ...bodyOf(left, extras.raw === true) };
}

function bodyOf(left: ReadonlyMap<string, unknown>, isRaw: boolean) {
  if (!isRaw) return left.size === 0 ? {} : json(Object.fromEntries(left));
  const body = left.get('body');
  if (body === undefined) return {};
  if (typeof body === 'string' || body instanceof Uint8Array) {
    const contentType = String(left.get('content_type') ?? 'application/octet-stream');
    return { body: body as string | Uint8Array<ArrayBuffer>, contentType };
  }
  return json(body);
}

const json = (value: unknown) => ({ body: JSON.stringify(value), contentType: 'application/json' });
