//! Secret of a webhook, and its signatures.
//!
//! Input: a secret in the notation of the Standard Webhooks specification (`whsec_` and base64),
//! the id and time of a message, and its body. Output: the value of `webhook-signature`. Invariant:
//! a secret has 24 to 64 bytes, as the specification requires, and is never printed by accident.

use std::fmt;
use std::str::FromStr;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use tilesight_jobs::random;

const PREFIX: &str = "whsec_";
/// Range of lengths in bytes that the specification allows.
const BYTES: std::ops::RangeInclusive<usize> = 24..=64;
/// Length of a generated secret in bytes: the length of the hash's output.
const MADE: usize = 32;

/// Secret that the service and the receiver of a webhook share.
#[derive(Clone, PartialEq, Eq)]
pub(in crate::routes::jobs) struct Secret(Vec<u8>);

/// Error when a text is not a secret; the sender can fix it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("invalid secret: expected `whsec_` and 24 to 64 bytes in base64")]
pub(in crate::routes::jobs) struct SecretError;

impl Secret {
    /// Generates a secret from the system's random numbers.
    pub(in crate::routes::jobs) fn generate() -> Result<Secret, getrandom::Error> {
        Ok(Secret(random::bytes::<MADE>()?.to_vec()))
    }

    /// Returns the secret as text, for people and for other programs.
    pub(in crate::routes::jobs) fn text(&self) -> String {
        format!("{PREFIX}{}", BASE64.encode(&self.0))
    }

    /// Returns the signature of a message that is sent at `time`, in seconds since 1970.
    pub(super) fn sign(&self, id: &str, time: u64, body: &str) -> String {
        let mut mac =
            Hmac::<Sha256>::new_from_slice(&self.0).expect("a key of any length is taken");
        mac.update(format!("{id}.{time}.{body}").as_bytes());
        format!("v1,{}", BASE64.encode(mac.finalize().into_bytes()))
    }
}

impl FromStr for Secret {
    type Err = SecretError;

    fn from_str(text: &str) -> Result<Secret, SecretError> {
        let bytes = text.strip_prefix(PREFIX).and_then(|text| BASE64.decode(text).ok());
        bytes.filter(|bytes| BYTES.contains(&bytes.len())).map(Secret).ok_or(SecretError)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderMap;
    use standardwebhooks::Webhook;

    use super::*;

    /// Checks that the specification's own library accepts these signatures, and no others.
    #[test]
    fn signatures_are_those_of_the_specification() {
        let secret = Secret::generate().unwrap();
        let receiver = Webhook::new(&secret.text()).unwrap();
        let now =
            std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
        let headers = |time: u64, signature: String| {
            let mut headers = HeaderMap::new();
            headers.insert("webhook-id", "msg_1".parse().unwrap());
            headers.insert("webhook-timestamp", time.to_string().parse().unwrap());
            headers.insert("webhook-signature", signature.parse().unwrap());
            headers
        };
        let body = r#"{"type":"job.finished"}"#;
        let signed = headers(now, secret.sign("msg_1", now, body));
        receiver.verify(body.as_bytes(), &signed).unwrap();
        assert!(receiver.verify(b"{}", &signed).is_err(), "another body");
        let later = headers(now + 1, secret.sign("msg_1", now, body));
        assert!(receiver.verify(body.as_bytes(), &later).is_err(), "another time");
        let other = Secret::generate().unwrap().sign("msg_1", now, body);
        assert!(receiver.verify(body.as_bytes(), &headers(now, other)).is_err(), "another secret");
    }

    /// Checks the example with which the specification's libraries are tested.
    #[test]
    fn the_known_example_is_signed_alike() {
        let secret: Secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".parse().unwrap();
        let signature =
            secret.sign("msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, r#"{"test": 2432232314}"#);
        assert_eq!(signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[test]
    fn only_secrets_are_read_and_none_is_shown() {
        let secret = Secret::generate().unwrap();
        assert_eq!(secret.text().parse(), Ok(secret.clone()));
        assert_eq!(format!("{secret:?}"), "Secret");
        let encoded = |bytes: usize| format!("{PREFIX}{}", BASE64.encode(vec![7; bytes]));
        for bad in ["", "whsec_", "whsec_***", &BASE64.encode([7; 32]), &encoded(23), &encoded(65)]
        {
            assert_eq!(bad.parse::<Secret>(), Err(SecretError), "{bad}");
        }
        assert!(encoded(24).parse::<Secret>().is_ok() && encoded(64).parse::<Secret>().is_ok());
    }
}
