// The page on which the API can be tried out. Nothing of it comes from elsewhere, and a token stays in this tab.

window.SwaggerUIBundle({
  url: "../api/v1/openapi.json",
  dom_id: "#swagger",
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  docExpansion: "none",
  persistAuthorization: false,
  validatorUrl: null,
});
