// The page on which the API can be tried out. Nothing of it comes from elsewhere, and a token stays in this tab.

const REFERENCE = /"#\/components\/(\w+)\/([^"]+)"/g;

/**
 * Return a contract with no more than what stands at a path, and what that refers to, directly or not.
 * @param {any} contract any: a JSON document
 * @param {string[]} path
 */
function partOf(contract, [kind, name]) {
  const part = { ...contract, paths: {}, components: {}, [kind]: { [name]: contract[kind][name] } };
  const follow = (/** @type {unknown} */ found) => {
    for (const [, group, each] of JSON.stringify(found).matchAll(REFERENCE)) {
      const known = (part.components[group] ??= {});
      if (each in known) continue;
      known[each] = contract.components[group][each];
      follow(known[each]);
    }
  };
  follow(part[kind]);
  return part;
}

/**
 * To resolve one reference, Swagger UI goes through all that it is given: with the whole contract, that takes seconds.
 * @param {any} system any: Swagger UI's own parts
 */
const resolveParts = ({ fn: { resolveSubtree } }) => ({
  fn: {
    /** @type {(contract: any, path: string[], options: unknown) => unknown} */
    resolveSubtree: (contract, path, options) => resolveSubtree(partOf(contract, path), path, options),
  },
});

window.SwaggerUIBundle({
  url: "../api/v1/openapi.json",
  dom_id: "#swagger",
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  docExpansion: "none",
  persistAuthorization: false,
  plugins: [resolveParts],
  validatorUrl: null,
});
