/** What a stream says at first; then it is left. */
export async function beginningOf(reply: Response): Promise<string> {
  for await (const chunk of reply.body ?? []) return Buffer.from(chunk).toString();
  return '';
}
