/** What the vendored Swagger UI gives its page. */
declare global {
  interface Window {
    SwaggerUIBundle(settings: Record<string, unknown>): unknown;
  }
}
export {};
