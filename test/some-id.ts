import type { Route } from '#kernel/http/declare/route.ts';
import { type ObjectPrefix, objectId } from '#kernel/object-id.ts';

const SOME_UUID = '1b4e28ba-2fa1-4d2b-883f-0016d3cca427';

/** A well-formed id of nothing, for a parameter of a path. */
export function someId({ endpoint }: Pick<Route, 'endpoint'>, name: string): string {
  const { properties = {} } = (endpoint.params ?? {}) as {
    properties?: Record<string, { wire?: string; prefix?: ObjectPrefix }>;
  };
  const { wire, prefix } = properties[name] ?? {};
  if (wire === 'object-id' && prefix) return objectId(prefix, SOME_UUID);
  return name === 'id' || name === 'adjustment_id' ? SOME_UUID : '7';
}
