//! Names the library as programs find it: `libtilesight.so.1`, with the version of its interface.

fn main() {
    // Android finds libraries by their plain name, and a library of macOS is named when it is
    // installed.
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux") {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libtilesight.so.1");
    }
    println!("cargo::rerun-if-changed=build.rs");
}
