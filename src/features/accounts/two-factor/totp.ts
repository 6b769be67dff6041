import { Secret, TOTP } from 'otpauth';
import { qrImage } from '#kernel/http/pages/qr-image.ts';

export const TWO_FACTOR_ISSUER = 'Archipay';
/** RFC 4226 asks for at least 16 bytes and recommends 20. */
const SECRET_BYTES = 20;
const PERIOD_S = 30;
/** How many steps a phone's clock may be off, either way (contract part 1, Two-factor). */
const TOLERANCE = 2;

const authenticator = (secret: Secret, label = '') =>
  new TOTP({
    issuer: TWO_FACTOR_ISSUER,
    label,
    secret,
    algorithm: 'SHA1',
    digits: 6,
    period: PERIOD_S,
  });

/** A key for an authenticator app in base32, and the same as a QR code for its camera. */
export function newAuthenticator(account: string) {
  const secret = new Secret({ size: SECRET_BYTES });
  const qr_code = qrImage(authenticator(secret, account).toString());
  return { secret: secret.base32, qr_code };
}

/** The 30-second step since 1970 whose code this is, within the tolerance; undefined if none. */
export function stepOf(base32: string, code: string, now: Date): number | undefined {
  const delta = authenticator(Secret.fromBase32(base32)).validate({
    token: code,
    timestamp: now.getTime(),
    window: TOLERANCE,
  });
  return delta === null ? undefined : Math.floor(now.getTime() / 1000 / PERIOD_S) + delta;
}
