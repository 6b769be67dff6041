import { BlockList, isIP } from 'node:net';

/** Whether the host that many hops before us is trusted to say where a request comes from. */
export type TrustedProxies = (address: string, hop: number) => boolean;

/**
 * From TRUST_PROXY: a number is how many proxies stand before us; otherwise their addresses and
 * networks. No value means all addresses, since then callers could choose the address that they
 * are counted by. Throws where the setting is neither.
 */
export function trustOf(setting: string | undefined): TrustedProxies {
  if (setting === undefined) return () => false;
  if (/^\d+$/.test(setting)) return (_address, hop) => hop < Number(setting);
  const known = new BlockList();
  for (const place of setting.split(',')) {
    const [address = '', prefix] = place.trim().split('/');
    const family = familyOf(address);
    const longest = family === 'ipv4' ? 32 : 128;
    const isNetwork = prefix === undefined || (/^\d{1,3}$/.test(prefix) && +prefix <= longest);
    if (!family || !isNetwork)
      throw new Error(`TRUST_PROXY has an invalid IP address: ${place.trim()}`);
    if (prefix === undefined) known.addAddress(address, family);
    else known.addSubnet(address, Number(prefix), family);
  }
  return (address) => {
    const family = familyOf(address);
    return family !== undefined && known.check(address, family);
  };
}

/**
 * Where a request comes from: the socket's address, or what trusted proxies say in
 * `X-Forwarded-For`. An entry of theirs that is no address counts as the socket's own.
 */
export function originOf(
  socket: string,
  forwarded: string | string[] | undefined,
  trusts: TrustedProxies,
): string {
  if (forwarded === undefined || !trusts(socket, 0)) return socket;
  let origin = socket;
  for (const [hop, entry] of String(forwarded).split(',').reverse().entries()) {
    if (!trusts(origin, hop)) break;
    const address = addressIn(entry.trim());
    if (address === undefined) return socket;
    origin = address;
  }
  return origin;
}

/** `192.0.2.1:443` and `[2001:db8::1]:443`, as some proxies write them. */
const WITH_PORT = /^(?:\[([^\]]*)\]|([^:]*))(?::\d{1,5})?$/;

function addressIn(entry: string): string | undefined {
  if (isIP(entry)) return entry;
  const [, bracketed, plain] = WITH_PORT.exec(entry) ?? [];
  const address = bracketed ?? plain ?? '';
  return isIP(address) ? address : undefined;
}

function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  const version = isIP(address);
  return version === 0 ? undefined : version === 4 ? 'ipv4' : 'ipv6';
}
