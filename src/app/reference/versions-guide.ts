import { API_VERSIONS, VERSION_HEADER } from '#kernel/http/serve/versions.ts';

const listed = API_VERSIONS.map(({ version, changes, ends }) => {
  const end = ends === undefined ? '' : ` Ends on ${ends}.`;
  return `| \`${version}\` | ${changes.join(' ')}${end} |`;
});

/** How the API changes, and what callers of before it keep. */
export const VERSIONS = `# Versions

The API has versions, named by days. A key is pinned to the newest one of the day it was made, a rotated key to that of
the one before it; \`api_version\` of \`GET /keys/sdk-key\` says which. The header \`${VERSION_HEADER}\` of a request names
another one for that request: send it, and nothing changes under you whatever key you use. Each answer says its version by the same
header. One that there is not is 400 \`UNKNOWN_VERSION\`.

| version | what callers of the one before have to change |
|---|---|
${listed.join('\n')}

- **What makes a version**: a field or value that goes, is renamed, means something else or has another type; something that is newly required.
- **What does not**, so be ready for it in any version: new endpoints, optional fields of requests, fields of answers, codes of errors,
  types of events, and values where a list of them is not said to be all.
- **How long**: a version is answered for a year after the next one at least. Before it goes its answers carry
  \`${VERSION_HEADER}-ends\` with the day; a key of it is then answered by the oldest that is left.
- **An endpoint that goes** says so by \`Deprecation\` and \`Sunset\`, 180 days before at the earliest.
- Errors, tables (\`Accept: text/csv\`) and pages for people are of no version. Events have versions of their own, type by type, to which an
  endpoint of webhooks is pinned in the same way (\`schema_versions\`).`;
