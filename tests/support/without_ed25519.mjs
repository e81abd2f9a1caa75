// Loaded before a program: lets WebCrypto have no Ed25519, as in some browsers.

const { importKey } = SubtleCrypto.prototype;
SubtleCrypto.prototype.importKey = function (form, bytes, kind, ...rest) {
  if (kind.name === "Ed25519") return Promise.reject(new DOMException("not here", "NotSupportedError"));
  return importKey.call(this, form, bytes, kind, ...rest);
};
