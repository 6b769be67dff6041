/** A field of the received JSON, by its path; undefined if missing. */
export function fieldOf(body: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((at, name) => (at as Record<string, unknown> | null)?.[name], body);
}

/** A field that has to be text. */
export function textOf(body: unknown, path: string): string {
  const found = fieldOf(body, path);
  if (typeof found === 'string') return found;
  throw new Error(`"${path}" is ${JSON.stringify(found)} in ${JSON.stringify(body)}`);
}

/** A field that has to be a number. */
export function numberOf(body: unknown, path: string): number {
  const found = fieldOf(body, path);
  if (typeof found === 'number') return found;
  throw new Error(`"${path}" is ${JSON.stringify(found)} in ${JSON.stringify(body)}`);
}

/** A field that has to be a list. */
export function listOf(body: unknown, path: string): unknown[] {
  const found = path === '' ? body : fieldOf(body, path);
  if (Array.isArray(found)) return found;
  throw new Error(`"${path}" is ${JSON.stringify(found)} in ${JSON.stringify(body)}`);
}

/** The parsed JSON, or undefined for other text. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The code of a failure, from the endpoint's envelope. */
export function codeOf(body: unknown): string | undefined {
  const found = fieldOf(body, 'error.code') ?? fieldOf(body, 'error_code') ?? fieldOf(body, 'code');
  return typeof found === 'string' ? found : undefined;
}

export function firstOf<T>(list: readonly T[]): T {
  const [first] = list;
  if (first === undefined) throw new Error('A list that should have something in it is empty');
  return first;
}
