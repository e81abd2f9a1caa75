// Makes types of the schemas of an AsyncAPI document readable for openapi-typescript: node shapes.mjs < asyncapi.json > shapes.json
import { readFileSync } from "node:fs";

const { info, components } = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify({ openapi: "3.1.0", info, paths: {}, components: { schemas: components.schemas } }));
