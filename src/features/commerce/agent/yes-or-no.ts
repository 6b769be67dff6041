/** A yes or a no. Our code reads it, and no model; only a whole message of these words is one. */
export type YesOrNo =
  | { readonly kind: 'yes'; readonly code: string | undefined }
  | { readonly kind: 'no' };

const YES =
  /^(?:yes|yep|yeah|y|ya|iya|ok|okay|oke|confirm|confirmed|i confirm|konfirmasi|saya konfirmasi|setuju|saya setuju|lanjut|lanjutkan|proceed|go ahead|do it)(?:[, ]+(?:please|confirm|i confirm|konfirmasi|send|send it|transfer|transfer it|do it|go ahead|proceed|kirim|lanjut|lanjutkan|setuju|benar|saya setuju))?(?:[, ]+(\d{4}))?[.! ]*$/;
const NO =
  /^(?:no|nope|n|cancel|cancel it|stop|abort|never ?mind|forget it|tidak|tidak jadi|gak|gak jadi|nggak|batal|batalkan|jangan)(?:[, ]+(?:thanks|thank you|please|cancel|stop|terima kasih|makasih|batal|batalkan))?[.! ]*$/;

/** Undefined where the message says anything else, or anything more. */
export function yesOrNoOf(input: string): YesOrNo | undefined {
  const text = input.trim().toLowerCase().replaceAll(/\s+/g, ' ');
  const [is, code] = YES.exec(text) ?? [];
  if (is !== undefined) return { kind: 'yes', code };
  return NO.test(text) ? { kind: 'no' } : undefined;
}
