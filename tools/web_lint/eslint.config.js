// What is a mistake in the web client's modules, beside what the compiler finds. The form is prettier's.

import js from "@eslint/js";
import globals from "globals";

export default [
  js.configs.recommended,
  {
    files: ["**/*.js"],
    languageOptions: { ecmaVersion: "latest", sourceType: "module", globals: globals.browser },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      eqeqeq: ["error", "always"],
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "no-irregular-whitespace": ["error", { skipTemplates: true }],
      "max-lines": ["error", 500],
      complexity: ["error", 20],
      "no-restricted-globals": ["error", "event", "name"],
    },
  },
];
